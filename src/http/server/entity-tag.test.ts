import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { entityTag, isHeld } from './entity-tag.ts'

test('a tag holds with the encoding that a proxy added, whatever sign the tag ends in', async () => {
  for (const tag of ['wE-', 'wE_', 'wE', 'wE-br', 'wE-gz-']) {
    const answer = { tag, isCompressed: true }
    const app = fastify()
    app.get('/', (request) => ({
      etag: entityTag(request, answer),
      isHeld: isHeld(request, answer),
    }))
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await app.inject({ url: '/', headers })).json()
    for (const accepted of ['identity', 'br']) {
      const { etag } = await asked({ 'accept-encoding': accepted })
      for (const added of ['', '-gzip', '--gzip', ';gzip', '_x-gzip', '-br']) {
        const held = etag.replace(/"$/, `${added}"`)
        const headers = { 'accept-encoding': accepted, 'if-none-match': held }
        assert.equal((await asked(headers)).isHeld, true, held)
      }
      const other = { 'accept-encoding': accepted, 'if-none-match': '"w-gzip"' }
      assert.equal((await asked(other)).isHeld, false, tag)
    }
  }
})
