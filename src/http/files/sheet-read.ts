import type { FastifyReply } from 'fastify'

/** Which sheet of a book was read: an answer says so in a header, because its object is the receipt. */

export const sheetHeaders = {
  'X-Sheet-Read': {
    type: 'string',
    description:
      'Какой лист книги прочитан, если листов несколько: имя в percent-кодировании UTF-8.',
  },
}

export function saySheet(reply: FastifyReply, sheet: string | undefined): void {
  if (sheet !== undefined) reply.header('X-Sheet-Read', encodeURIComponent(sheet.toWellFormed()))
}
