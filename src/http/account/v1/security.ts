import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { qrPicture } from '../../../documents/labels/page.ts'
import { setSellerName, setSellerPassword } from '../../../identity/sellers/members.ts'
import { confirmCodes, dropCodes, offerCodes } from '../../../identity/sellers/one-time-codes.ts'
import {
  hashPassword,
  passwordLengthMax,
  passwordLengthMin,
} from '../../../identity/sign-in/passwords.ts'
import { named } from '../../../platform/kernel/schema.ts'
import { sellersBody } from '../../public/request-body.ts'
import { changeInAccount, confirmUser } from '../change.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { userOn, visitorOn } from '../gate.ts'
import { accountOperation } from '../operation.ts'

/** The password asked for again, before what an intruder would do first. */
export const passwordAgain = Type.String({
  minLength: 1,
  maxLength: passwordLengthMax,
  description: 'Ваш пароль ещё раз.',
})
export const newPassword = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: 'Новый пароль; не хранится, хранится его хеш.',
})
const code = Type.String({ minLength: 1, maxLength: 40, description: 'Код из приложения.' })

export const AccountPasswordChange = Type.Object(
  { password: passwordAgain, new_password: newPassword },
  { $id: 'AccountPasswordChange', additionalProperties: false, description: 'Новый пароль.' },
)
export const AccountNameChange = Type.Object(
  {
    name: Type.String({
      maxLength: 100,
      description: 'Имя и фамилия, до 100 знаков; пустое — вместо имени снова логин.',
    }),
  },
  { $id: 'AccountNameChange', additionalProperties: false, description: 'Новое имя.' },
)
export const AccountConfirmation = Type.Object(
  { password: passwordAgain },
  { $id: 'AccountConfirmation', additionalProperties: false, description: 'Подтверждение.' },
)
export const AccountCode = Type.Object(
  { code },
  { $id: 'AccountCode', additionalProperties: false, description: 'Код из приложения.' },
)
export const AccountCodesOff = Type.Object(
  { password: passwordAgain, code },
  { $id: 'AccountCodesOff', additionalProperties: false, description: 'Подтверждение с кодом.' },
)
export const OfferedOneTimeCodes = Type.Object(
  {
    secret: Type.String({ description: 'Секрет для ввода в приложение. Показан один раз.' }),
    uri: Type.String({ description: 'Он же адресом `otpauth://` для QR-кода.' }),
    qr: Type.String({ description: 'Этот адрес QR-кодом: картинка SVG.' }),
  },
  { $id: 'OfferedOneTimeCodes', description: 'Секрет; начнёт действовать после первого кода.' },
)
export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Запасные коды на случай потери телефона: каждый один раз. Показаны один раз.',
    }),
  },
  { $id: 'RecoveryCodes', description: 'Запасные коды.' },
)

export function addAccountSecurity(app: FastifyInstance, dependencies: AccountDependencies): void {
  addName(app, dependencies)
  addPassword(app, dependencies)
  addCodes(app, dependencies)
}

function addName(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'changeAccountName',
    tag: 'Вход',
    summary: 'Изменить своё имя',
    description: 'Под ним вас видят другие пользователи и склад.',
    body: AccountNameChange,
    answers: { 204: { description: 'Имя изменено.' } },
    errors: ['bad_request', 'validation_error'],
  })
  app.put('/name', { schema }, async (request, reply) => {
    const { name } = sellersBody(AccountNameChange, request)
    const { id, login } = userOn(request)
    await changeInAccount(dependencies, request, async (work) => {
      const was = await setSellerName(work, id, name)
      const [before, after] = [was, name.trim()].map((each) => ({ login, name: each || login }))
      return { answer: undefined, objectId: id, before, after }
    })
    return reply.code(204).send()
  })
}

function addPassword(app: FastifyInstance, dependencies: AccountDependencies): void {
  const schema = accountOperation({
    id: 'changeAccountPassword',
    tag: 'Вход',
    summary: 'Сменить пароль',
    description: 'Остальные входы пользователя кончаются.',
    body: AccountPasswordChange,
    answers: { 204: { description: 'Пароль сменён.' } },
    errors: ['bad_request', 'validation_error'],
  })
  app.put('/password', { schema }, async (request, reply) => {
    const draft = sellersBody(AccountPasswordChange, request)
    const { id } = userOn(request)
    await confirmUser(dependencies, request, { password: draft.password })
    const passwordHash = await hashPassword(draft.new_password)
    await changeInAccount(dependencies, request, async (work) => {
      await setSellerPassword(work, id, passwordHash, visitorOn(request).sessionId)
      return { answer: undefined, objectId: id }
    })
    return reply.code(204).send()
  })
}

function addCodes(app: FastifyInstance, dependencies: AccountDependencies): void {
  const { box } = dependencies
  const offerSchema = accountOperation({
    id: 'offerOneTimeCodes',
    tag: 'Вход',
    summary: 'Получить секрет для одноразовых кодов',
    description: 'Коды начнут требоваться, когда вы введёте первый.',
    body: AccountConfirmation,
    answers: { 200: { description: 'Секрет.', schema: named(OfferedOneTimeCodes) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/one-time-codes', { schema: offerSchema }, async (request) => {
    const { password } = sellersBody(AccountConfirmation, request)
    const user = userOn(request)
    await confirmUser(dependencies, request, { password })
    const offered = await changeInAccount(dependencies, request, async (work) => ({
      answer: await offerCodes(work, box, user),
      objectId: user.id,
    }))
    return { ...offered, qr: await qrPicture(offered.uri) }
  })

  const confirmSchema = accountOperation({
    id: 'confirmOneTimeCodes',
    tag: 'Вход',
    summary: 'Включить одноразовые коды',
    description: 'Дальше входят с кодом. Сохраните запасные коды: больше их не показать.',
    body: AccountCode,
    answers: { 200: { description: 'Включены.', schema: named(RecoveryCodes) } },
    errors: ['bad_request', 'validation_error', 'conflict'],
  })
  app.post('/one-time-codes/confirm', { schema: confirmSchema }, async (request) => {
    const given = sellersBody(AccountCode, request)
    const user = userOn(request)
    const codes = await changeInAccount(dependencies, request, async (work) => ({
      answer: await confirmCodes(work, box, user, given.code),
      objectId: user.id,
      after: { two_factor: true },
    }))
    return { recovery_codes: codes }
  })

  const dropSchema = accountOperation({
    id: 'dropOneTimeCodes',
    tag: 'Вход',
    summary: 'Выключить одноразовые коды',
    description: 'Нужны и пароль, и код из приложения или запасной.',
    body: AccountCodesOff,
    answers: { 204: { description: 'Выключены.' } },
    errors: ['bad_request', 'validation_error'],
  })
  app.post('/one-time-codes/drop', { schema: dropSchema }, async (request, reply) => {
    const given = sellersBody(AccountCodesOff, request)
    const { id } = userOn(request)
    await confirmUser(dependencies, request, given)
    await changeInAccount(dependencies, request, async (work) => {
      await dropCodes(work, id)
      return { answer: undefined, objectId: id, after: { two_factor: false } }
    })
    return reply.code(204).send()
  })
}
