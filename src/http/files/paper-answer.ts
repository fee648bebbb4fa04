import { Negotiator } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { drawingRefusal } from '../../documents/papers/drawing.ts'
import { paperHtml } from '../../documents/papers/html.ts'
import type { Paper } from '../../documents/papers/paper.ts'
import { paperPdf } from '../../documents/papers/pdf.ts'
import type { Instant } from '../../platform/kernel/moscow-time.ts'
import { rawQuery } from '../route/list.ts'
import { oneOf, query } from '../route/query.ts'
import type { PaperPictures } from './paper-photos.ts'

/** Papers as PDF, or as a page to print where a browser asks for one. */

const formats = ['pdf', 'html'] as const
export const paperQuery = query({
  format: oneOf(formats, { description: 'Формат; без него решает заголовок Accept, иначе pdf.' }),
})

/** How an operation describes the paper that it answers. */
export const paperAnswer = {
  description: 'Документ.',
  media: {
    'application/pdf': Type.String({ format: 'binary' }),
    'text/html': Type.String(),
  },
}

/** Of operations that draw. */
export const drawingMessages = { rate_limited: drawingRefusal().message }

const types = ['application/pdf', 'text/html']
const negotiator = new Negotiator({ supportedValues: types })

export interface ReadPaper {
  readonly paper: Paper
  /** What a PDF ends with. */
  readonly photos?: () => Promise<PaperPictures>
}

export async function sendPaper(
  request: FastifyRequest,
  reply: FastifyReply,
  now: Instant,
  read: () => Promise<ReadPaper>,
): Promise<FastifyReply> {
  const { format = formatFor(request.headers.accept) } = paperQuery.parse(rawQuery(request))
  const { paper, photos } = await read()
  reply.header('Vary', 'Accept').header('Content-Security-Policy', policy)
  if (format === 'html') return reply.type('text/html; charset=utf-8').send(paperHtml(paper))
  const { pictures, notes } = (await photos?.()) ?? { pictures: [], notes: [] }
  const whole = { ...paper, notes: [...paper.notes, ...notes] }
  return reply.type('application/pdf').send(await paperPdf(whole, new Date(now), pictures))
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals"

function formatFor(accept: string | undefined): 'pdf' | 'html' {
  const type = accept === undefined ? null : negotiator.negotiate(accept)
  return type === 'text/html' ? 'html' : 'pdf'
}
