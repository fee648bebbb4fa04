import type { FastifyInstance } from 'fastify'
import { StaffCabinet } from '../../clients/cabinets.ts'
import { Client } from '../../clients/directory.ts'
import { ApiKey } from '../../clients/keys.ts'
import { Product } from '../../clients/products.ts'
import { Reason } from '../../clients/reasons.ts'
import { Warehouse } from '../../clients/warehouses.ts'
import { CallEntry } from '../../journal/call-list.ts'
import { ReceiptRequestEntry } from '../../journal/receipt-requests.ts'
import { StaffEntry } from '../../journal/staff.ts'
import { errorKinds } from '../../kernel/errors.ts'
import { CabinetTask } from '../../marketplaces/desk/task-list.ts'
import { Metrics, ReasonCount } from '../../metrics/view.ts'
import { StaffOrder, StaffOrderWithHistory } from '../../orders/staff-view.ts'
import { PickingTask, PickResult } from '../../picking/view.ts'
import {
  ReceiptScan,
  ScanResult,
  StaffReceipt,
  StaffReceiptItem,
} from '../../receipts/staff-view.ts'
import { ShipmentShortage } from '../../shipments/shortages.ts'
import { StaffShipment } from '../../shipments/staff-view.ts'
import { roleLabels } from '../../staff/roles.ts'
import { StaffUser } from '../../staff/users.ts'
import { StockMovement } from '../../stock/movements.ts'
import { Box, Pallet, StoredUnits } from '../../stock/storage-view.ts'
import { MarketplaceStock } from '../../stock/view.ts'
import { DeliveryAttempt } from '../../webhooks/attempts.ts'
import { errorSchema } from '../envelope.ts'
import { addReference } from '../reference.ts'
import { staffTags } from './operation.ts'
import { BoxedDraft, BoxMoveDraft } from './v1/box-contents.ts'
import { AskedRound, CabinetTaskPage } from './v1/cabinet-sync.ts'
import { CabinetDraft, CabinetPage, CabinetPatch } from './v1/cabinets.ts'
import { ClientDraft, ClientPage, ClientPatch } from './v1/clients.ts'
import { CallPage, ReceiptRequestPage, StaffEntryPage } from './v1/journals.ts'
import { ApiKeyDraft, ApiKeyPage, ApiKeyPatch, IssuedApiKey } from './v1/keys.ts'
import { OrderDrafts, OrderIntake, OrderPatch, StaffOrderPage } from './v1/orders.ts'
import { MissDraft, PickDraft, PickingTaskPage } from './v1/picking.ts'
import { ProductDraft, ProductPage } from './v1/products.ts'
import { ReasonPage } from './v1/reasons.ts'
import { StaffReceiptDraft } from './v1/receipt-import.ts'
import { ReceiptScanPage, ScanDraft } from './v1/receipt-scans.ts'
import { ReceiptFinish, StaffReceiptPage } from './v1/receipts.ts'
import { SessionDraft } from './v1/session.ts'
import { ShipmentShortages } from './v1/shipment-shortages.ts'
import { Acceptance, JoiningOrders, ShipmentDraft, StaffShipmentPage } from './v1/shipments.ts'
import { StaffStockItem, StaffStockPage, StockMovementPage } from './v1/stock.ts'
import {
  CorrectionDraft,
  QuestionDraft,
  ResolutionDraft,
  WriteOffDraft,
} from './v1/stock-entries.ts'
import { BoxDraft, BoxPage, BoxPatch, PalletDraft, PalletPage } from './v1/storage.ts'
import {
  IssuedStaffToken,
  StaffTokenDraft,
  StaffUserDraft,
  StaffUserPage,
  StaffUserPatch,
} from './v1/users.ts'
import { IntakeSwitch, WarehouseDraft, WarehousePage, WebhooksSwitch } from './v1/warehouses.ts'
import { AttemptPage } from './v1/webhooks.ts'

const schemas = [
  errorSchema(errorKinds),
  SessionDraft,
  StaffUser,
  StaffUserPage,
  StaffUserDraft,
  StaffUserPatch,
  StaffTokenDraft,
  IssuedStaffToken,
  Warehouse,
  WarehousePage,
  WarehouseDraft,
  IntakeSwitch,
  WebhooksSwitch,
  Client,
  ClientPage,
  ClientDraft,
  ClientPatch,
  StaffCabinet,
  CabinetPage,
  AskedRound,
  CabinetTask,
  CabinetTaskPage,
  CabinetDraft,
  CabinetPatch,
  ApiKey,
  ApiKeyPage,
  ApiKeyDraft,
  ApiKeyPatch,
  IssuedApiKey,
  CallEntry,
  CallPage,
  ReceiptRequestEntry,
  ReceiptRequestPage,
  StaffEntry,
  StaffEntryPage,
  DeliveryAttempt,
  AttemptPage,
  StaffReceipt,
  StaffReceiptItem,
  StaffReceiptPage,
  StaffReceiptDraft,
  ReceiptFinish,
  ReceiptScan,
  ReceiptScanPage,
  ScanDraft,
  ScanResult,
  Product,
  ProductPage,
  ProductDraft,
  Reason,
  ReasonPage,
  StoredUnits,
  Box,
  BoxPage,
  BoxDraft,
  BoxPatch,
  BoxedDraft,
  BoxMoveDraft,
  Pallet,
  PalletPage,
  PalletDraft,
  MarketplaceStock,
  StaffStockItem,
  StaffStockPage,
  StockMovement,
  StockMovementPage,
  CorrectionDraft,
  WriteOffDraft,
  QuestionDraft,
  ResolutionDraft,
  Metrics,
  ReasonCount,
  StaffOrder,
  StaffOrderWithHistory,
  StaffOrderPage,
  OrderDrafts,
  OrderIntake,
  OrderPatch,
  StaffShipment,
  StaffShipmentPage,
  ShipmentShortage,
  ShipmentShortages,
  ShipmentDraft,
  JoiningOrders,
  Acceptance,
  PickingTask,
  PickingTaskPage,
  PickDraft,
  PickResult,
  MissDraft,
]

const description = `Склад изнутри: приёмка, хранение, сборка, отгрузка и всё, чем ими управляют.

**Вход.** Человек входит через \`POST /staff/v1/session\` и получает cookie; программа передаёт
\`Authorization: Bearer svc_staff_…\`. Роли: сотрудник склада, менеджер, администратор; каждая
следующая может всё, что предыдущие. Каждое изменение попадает в журнал.

**Ответы** такие же, как у API для продавцов: конверт ошибки, \`X-Request-Id\`, списки с курсором,
время RFC 3339 со смещением +03:00. Если состояние объекта не позволяет действие, ответ — 409
\`conflict\`, и сообщение говорит, в каком он состоянии.

**Повторы.** Сканы с тем же \`scan_id\` ничего не меняют, заказы с тем же \`external_id\` не
удваиваются: терминал может повторять запрос, пока не получит ответ.`

/** The OpenAPI document at /staff/openapi.json and the reference at /staff/docs. */
export function addStaffReference(app: FastifyInstance, baseUrl: string): Promise<void> {
  return addReference(app, {
    baseUrl,
    prefix: '/staff',
    title: 'Sklad: интерфейс склада',
    version: '1.0',
    license: 'Для сотрудников склада',
    description,
    servers: 'Склад.',
    tags: [...staffTags],
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'sklad_session',
        description: 'Сессия из POST /staff/v1/session.',
      },
      bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer svc_staff_…' },
    },
    preferredSecurity: 'bearer',
    schemas,
    note: ({ open, role = 'worker' }) => (open ? '' : ` Роль: ${roleLabels[role]}.`),
  })
}
