import { type Breach, badRequest, ServiceError } from '../../platform/kernel/errors.ts'
import { columnsMax } from './cell.ts'

/** Refusals of a whole file. `problems.ts` collects the problems of single cells. */

export function unknownFormat(): ServiceError {
  return badRequest(
    'Файл не похож ни на CSV, ни на XLSX: сохраните таблицу как «Книга Excel (.xlsx)» или CSV ' +
      'и передайте с Content-Type text/csv или ' +
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
}

export function damagedXlsx(cause: unknown): ServiceError {
  const message =
    'Файл XLSX повреждён или записан не по правилам: откройте его в Excel и сохраните заново'
  return new ServiceError('bad_request', message, { cause })
}

export function refusedFile(message: string, breaches: readonly Breach[] = []): ServiceError {
  return new ServiceError('validation_error', message, { breaches })
}

export function tooManyCells(): ServiceError {
  return refusedFile(
    'В файле XLSX слишком много ячеек или текстов: оставьте в нём один лист и только столбцы с товарами',
  )
}

export function tooManyColumns(row: number): ServiceError {
  return refusedFile(
    `Строка ${row}: заполнено больше ${columnsMax} столбцов, оставьте только нужные`,
  )
}
