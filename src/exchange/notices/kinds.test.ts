import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sellerNews, staffNews } from '../../warehouse/events/news-kinds.ts'
import { clientOutside, kindsOf, noticeKinds, pathOfNotice } from './kinds.ts'

test('sellers and staff have the kinds of news that concern them', () => {
  assert.deepEqual(kindsOf('seller'), [...sellerNews])
  assert.deepEqual(kindsOf('staff'), [...staffNews])
})

test('one thing is called by its name and opens itself, several open their list', () => {
  const { title } = noticeKinds.receipt_discrepancy
  const one = { units: 1, subject: 'R-000012', objectId: 'a' }
  assert.equal(title(one), 'Приёмка R-000012 принята с расхождением')
  assert.equal(pathOfNotice('receipt_discrepancy', one), '/account/receipts/a')
  const several = { ...one, units: 3, objectId: null }
  assert.equal(title(several), 'Приёмки с расхождением: 3')
  assert.equal(
    pathOfNotice('receipt_discrepancy', several),
    '/account/receipts?status=RECEIVED_WITH_DISCREPANCY',
  )
})

test('the name of a person who trades does not leave the service', () => {
  assert.equal(clientOutside('ООО «Север»'), 'ООО «Север»')
  assert.equal(clientOutside('ИП Иванова Мария Петровна'), 'ИП И. М. П.')
  assert.equal(clientOutside('индивидуальный предприниматель Ким'), 'ИП К.')
  assert.equal(clientOutside('ИПсилон'), 'ИПсилон')
})
