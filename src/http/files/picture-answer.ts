import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { type PictureBytes, pictureTypes } from '../../warehouse/catalogue/picture-bytes.ts'
import { found } from '../route/list.ts'
import { entityTag, isHeld } from '../server/entity-tag.ts'

/** Pictures of goods and photos: a browser shows them and does nothing else with them. */

export const pictureMedia = Object.fromEntries(
  pictureTypes.map((type) => [type, Type.String({ format: 'binary' })]),
)

export const pictureAnswers = {
  200: { description: 'Картинка.', media: pictureMedia },
  304: { description: 'Эта картинка у вас уже есть (If-None-Match).' },
}

/** The address has the hash, so what is there never changes. It belongs to whoever is signed in, and to no shared cache. */
const cacheControl = 'private, max-age=31536000, immutable'

export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  hash: string,
  read: () => Promise<PictureBytes | undefined>,
): Promise<FastifyReply> {
  const { type, bytes } = found(await read())
  const answer = { tag: hash, isCompressed: false }
  reply.header('ETag', entityTag(request, answer)).header('Cache-Control', cacheControl)
  if (isHeld(request, answer)) return reply.code(304).send()
  return reply
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Content-Disposition', 'inline')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .type(type)
    .send(bytes)
}
