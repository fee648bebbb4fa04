import { ozonLimit } from '../../../../src/exchange/marketplaces/ozon/client.ts'
import { openOzon } from '../../../../src/exchange/marketplaces/ozon/connector.ts'
import { openWildberries } from '../../../../src/exchange/marketplaces/wildberries/connector.ts'
import { wildberriesPaces } from '../../../../src/exchange/marketplaces/wildberries/environment.ts'
import { passingTime } from '../fake-time.ts'
import { openLimits } from '../in-memory-limits.ts'
import { fakeToken } from '../wildberries.ts'
import type { KnownAnswer, KnownCase } from './format.ts'
import { answersTo, outcomeOf, type Questions } from './outcome.ts'
import { ozonNow, ozonQuestions } from './questions-ozon.ts'
import { wildberriesNow, wildberriesQuestions } from './questions-wildberries.ts'
import { type AnsweringServer, serveKnownAnswers } from './server.ts'

/** Plays known answers to the real connector of a marketplace. */
export interface Player {
  readonly questions: Questions
  /** The outcome of an answer; `answer` replaces the known one. */
  play(call: string, one: KnownCase, answer?: KnownAnswer): Promise<unknown>
  /** Calls of the last play for which there was no answer. */
  unanswered(): readonly string[]
  close(): void
}

export async function openPlayer(marketplace: 'wb' | 'ozon'): Promise<Player> {
  const server = await serveKnownAnswers()
  const questions = marketplace === 'wb' ? wildberriesQuestions : ozonQuestions
  const connect = marketplace === 'wb' ? connectWildberries : connectOzon
  return {
    questions,
    async play(call, one, answer) {
      const question = questions[call]
      if (question === undefined) throw new Error(`${call}: no question makes this call`)
      server.play(answersTo(call, question, one, answer))
      return outcomeOf(server, question.ask(connect(server), one))
    },
    unanswered: server.unanswered,
    close: server.close,
  }
}

function connectWildberries({ baseUrl }: AnsweringServer) {
  const time = passingTime()
  const token = fakeToken({ sid: 'seller', exp: 1_811_000_000 })
  return openWildberries({
    credentials: { token },
    baseUrl,
    contentBaseUrl: baseUrl,
    limits: openLimits(wildberriesPaces.production.limit, time),
    time,
    now: () => wildberriesNow,
  })
}

function connectOzon({ baseUrl }: AnsweringServer) {
  const time = passingTime()
  return openOzon({
    credentials: { clientId: '1', apiKey: 'key' },
    baseUrl,
    limits: openLimits(ozonLimit, time),
    time,
    now: () => ozonNow,
  })
}
