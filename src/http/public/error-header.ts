import { publicErrors } from '../../kernel/errors.ts'
import { requestedErrorHeader } from '../requested-error.ts'

interface Operation {
  security?: readonly unknown[]
  parameters?: object[]
}

interface Document {
  components?: { parameters?: Record<string, object> }
  readonly paths?: object
}

/** Gives each operation with a key the header that asks a sandbox for an error; described once. */
export function addErrorHeader(document: Document): void {
  document.components = {
    ...document.components,
    parameters: {
      ...document.components?.parameters,
      [requestedErrorHeader]: {
        name: requestedErrorHeader,
        in: 'header',
        required: false,
        description:
          'Сверх спецификации 1.1, только с тестовым ключом: код ошибки, которой вызов ответит, ничего не сделав.',
        schema: { type: 'string', enum: Object.keys(publicErrors) },
      },
    },
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values<Operation>(path)) {
      if (operation.security?.length === 0) continue
      const shared = { $ref: `#/components/parameters/${requestedErrorHeader}` }
      operation.parameters = [...(operation.parameters ?? []), shared]
    }
  }
}
