"""Типы объектов интерфейса."""
# Made from openapi/public.json by "npm run openapi".

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


ErrorErrorCode = Literal["unauthorized", "key_revoked", "rate_limited", "not_found", "bad_request", "bad_cursor", "internal", "validation_error", "cabinet_required", "mixed_marking", "write_disabled", "warehouse_unavailable", "webhook_url_unverified", "webhook_limit", "webhooks_unavailable", "sandbox_only"]


class ErrorError(TypedDict):
    code: ErrorErrorCode
    """Код ошибки: по нему строят логику, он не меняется."""
    message: str
    """Что случилось, по-русски; текст может измениться."""
    request_id: str
    """То же, что в заголовке X-Request-Id."""


class Error(TypedDict):
    """Ошибка."""

    error: ErrorError


CabinetMarketplace = Literal["WB", "OZON"]


class _Cabinet(TypedDict):
    id: str
    """Идентификатор кабинета: его передают как cabinet_id."""
    marketplace: CabinetMarketplace
    """Маркетплейс кабинета."""
    name: str
    """Название кабинета."""
    active: bool
    """Подключён ли кабинет сейчас."""
    synced_at: Optional[str]
    """Когда данные маркетплейса успешно получены; null, если ещё ни разу."""


class Cabinet(_Cabinet, total=False):
    """Кабинет продавца на маркетплейсе."""

    sync_error: str
    """Почему не удалась последняя синхронизация; при удачной поля нет."""


class _MeClient(TypedDict):
    id: str
    """Идентификатор юридического лица."""
    name: str
    """Название юридического лица."""


class MeClient(_MeClient, total=False):
    inn: str
    """ИНН; если не заполнен, поля нет."""


class MeWarehouse(TypedDict):
    code: str
    """Короткий код склада."""
    name: str
    """Название склада."""


class MeKey(TypedDict):
    id: str
    """Идентификатор ключа."""
    name: str
    """Имя, данное при выпуске."""
    preview: str
    """Первые 8 и последние 4 знака ключа."""
    created_at: str
    """Когда выпущен."""
    last_used_at: Optional[str]
    """Последний успешный запрос до этого; null, если его не было."""


class Me(TypedDict):
    """Кому принадлежит ключ."""

    client: MeClient
    """Юридическое лицо, общее для всех кабинетов."""
    cabinets: List[Cabinet]
    """Кабинеты юридического лица."""
    warehouse: MeWarehouse
    """Склад, где лежат товары."""
    key: MeKey
    """Ключ, которым сделан запрос."""


MarketplaceStockMarketplace = Literal["WB", "OZON"]


class _MarketplaceStock(TypedDict):
    marketplace: MarketplaceStockMarketplace
    """Маркетплейс."""
    quantity: int
    """Остаток по данным маркетплейса, штук; карточки кабинета с одним штрихкодом складываются."""
    synced_at: Optional[str]
    """Когда цифра успешно получена; null, если ещё ни разу."""


class MarketplaceStock(_MarketplaceStock, total=False):
    """Остаток, который показывает кабинет маркетплейса."""

    warehouse_id: int
    """Склад маркетплейса; без разбивки по складам поля нет."""
    warehouse_name: str
    """Название склада маркетплейса."""


class _UnitsInQuestion(TypedDict):
    reason: str
    """Код причины; surplus — излишек при приёмке."""
    label: str
    """Причина словами."""
    units: int
    """Сколько единиц."""
    since: str
    """С какого времени: самая давняя из них."""


class UnitsInQuestion(_UnitsInQuestion, total=False):
    """Единицы под вопросом по одной причине."""

    receipt_id: str
    """Приёмка, если единицы — её излишек; иначе поля нет."""


class _PastStockItem(TypedDict):
    barcode: str
    """Штрихкод товара."""
    name: str
    """Название товара."""
    quantity: int
    """Остаток на складе в этот момент, по журналу движений."""
    available: int
    """Можно было продавать: quantity − in_question."""
    in_question: int
    """Единицы под вопросом в этот момент; уже входят в quantity."""
    updated_at: Optional[str]
    """Последнее движение к этому моменту; null, если движений ещё не было."""


class PastStockItem(_PastStockItem, total=False):
    """Остаток одного товара в прошлый момент."""

    article: str
    """Артикул продавца; если нет, поля нет."""


GoodsLotState = Literal["expired", "soon", "good", "unknown"]


class GoodsLot(TypedDict):
    """Партия товара: единицы с одним сроком годности и номером."""

    barcode: str
    """Штрихкод товара."""
    article: Optional[str]
    """Артикул; null, если нет."""
    name: str
    """Название товара."""
    expires_on: Optional[str]
    """Последний день годности, ГГГГ-ММ-ДД; null: срок неизвестен."""
    number: str
    """Номер партии; пусто, если его нет."""
    quantity: int
    """Единиц на складе, вместе с собранными в заказы."""
    picked: int
    """Из них собрано в заказы, которые ещё не ушли."""
    days_left: Optional[int]
    """Сколько дней осталось; отрицательно: срок прошёл; null: срок неизвестен."""
    state: GoodsLotState
    """expired — срок прошёл, единицы под вопросом; soon — осталось меньше дней, чем задано у товара; good; unknown — срок неизвестен."""


class GoodsItemParts(TypedDict):
    """Часть набора."""

    barcode: str
    """Штрихкод части."""
    name: str
    """Её название."""
    quantity: int
    """Сколько единиц в одном наборе."""


class _GoodsItem(TypedDict):
    barcode: str
    """Штрихкод товара."""
    name: str
    """Название."""
    is_set: bool
    """Набор ли это: товар, который составляют из других."""
    parts: List[GoodsItemParts]
    """Из чего набор, по возрастанию штрихкода; у остальных товаров пусто."""
    parts_allow: Optional[int]
    """Сколько наборов выйдет сейчас из свободных единиц частей: не под вопросом и не отложенных для других заказов. Собранные заранее сюда не входят: они в остатке самого набора. null, если это не набор."""


class GoodsItem(_GoodsItem, total=False):
    """Товар клиента; у набора — его части."""

    article: str
    """Артикул продавца; если нет, поля нет."""


class _StockItem(TypedDict):
    barcode: str
    """Штрихкод товара."""
    name: str
    """Название товара."""
    quantity: int
    """Остаток на складе по журналу движений: принято − отгружено ± корректировки."""
    available: int
    """Можно продавать: quantity − in_question."""
    in_question: int
    """Единицы под вопросом: физически на складе и уже входят в quantity."""
    reserved: int
    """Уже взято в открытое задание на сборку; часть quantity, не вычитается ещё раз."""
    boxes: int
    """В скольких коробах лежит товар."""
    pallets: int
    """На скольких паллетах лежит товар."""
    marketplace_stock: List[MarketplaceStock]
    """Остатки кабинетов; пустой список, если кабинеты ещё не опрошены."""
    updated_at: str
    """Последнее сканирование, изменившее остаток."""


class StockItem(_StockItem, total=False):
    """Остаток одного товара."""

    article: str
    """Артикул продавца; если нет, поля нет."""


class StockItemPage(TypedDict):
    """Страница остатков."""

    items: List[StockItem]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class UnitsInQuestionList(TypedDict):
    """Единицы товара под вопросом."""

    items: List[UnitsInQuestion]
    """По причинам, давние первыми; вместе — in_question товара."""


class PastStockPage(TypedDict):
    """Страница остатков в прошлый момент."""

    items: List[PastStockItem]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class GoodsLotPage(TypedDict):
    """Страница партий."""

    items: List[GoodsLot]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class GoodsPage(TypedDict):
    """Страница товаров."""

    items: List[GoodsItem]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


OrderMarketplace = Literal["WB", "OZON"]


OrderStatus = Literal["NEW", "ASSEMBLING", "IN_DELIVERY", "COMPLETED", "CANCELLED", "OTHER"]


class OrderMarketplaceStatus(TypedDict, total=False):
    supplier: str
    """Статус со стороны продавца; если не передан, поля нет."""
    buyer: str
    """Статус со стороны покупателя; если не передан, поля нет."""
    changed_at: str
    """Когда пара изменилась по наблюдению сервиса."""


class _Order(TypedDict):
    id: str
    """Идентификатор заказа в сервисе."""
    marketplace: OrderMarketplace
    """Маркетплейс."""
    external_id: str
    """Номер заказа в кабинете маркетплейса."""
    status: OrderStatus
    """Нормализованный статус; набор значений закрыт."""
    status_label: str
    """Статус по-русски; текст может измениться."""
    marketplace_status: OrderMarketplaceStatus
    """Статусы маркетплейса как есть. Значения у каждого свои и могут пополняться: не стройте на них логику."""
    is_b2b: bool
    """Заказ из оптовой поставки, а не обычный розничный."""
    shipment_id: Optional[str]
    """Отгрузка в сервисе; null, пока заказ ни в одной. Тогда status ведёт маркетплейс: ASSEMBLING и IN_DELIVERY бывают и без отгрузки."""
    shipment_external_id: Optional[str]
    """Номер этой отгрузки на маркетплейсе; иначе null."""
    created_at: str
    """Когда заказ создан на маркетплейсе."""
    packed_at: Optional[str]
    """Когда заказ собран; до этого null."""
    synced_at: Optional[str]
    """Когда заказ обновлён с маркетплейса; null, если ещё ни разу."""


class Order(_Order, total=False):
    """Заказ покупателя по схеме FBS."""

    article: str
    """Артикул продавца; если нет, поля нет."""
    barcode: str
    """Штрихкод; если неизвестен, поля нет."""
    nm_id: int
    """Номер товара WB; у заказов OZON и если неизвестен, поля нет."""


class OrderPage(TypedDict):
    """Страница заказов."""

    items: List[Order]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


OrderDetailsCabinetMarketplace = Literal["WB", "OZON"]


class OrderDetailsCabinet(TypedDict):
    id: str
    """Идентификатор кабинета."""
    marketplace: OrderDetailsCabinetMarketplace
    """Маркетплейс."""
    name: str
    """Название."""


class _OrderDetailsLines(TypedDict):
    qty: int
    """Сколько единиц заказано."""
    picked: int
    """Сколько из них собрано."""


class OrderDetailsLines(_OrderDetailsLines, total=False):
    barcode: str
    """Штрихкод; если неизвестен, поля нет."""
    article: str
    """Артикул продавца; если нет, поля нет."""


OrderDetailsHistoryStatus = Literal["NEW", "ASSEMBLING", "IN_DELIVERY", "COMPLETED", "CANCELLED", "OTHER"]


class OrderDetailsHistoryMarketplaceStatus(TypedDict, total=False):
    supplier: str
    """Статус со стороны продавца; если не передан, поля нет."""
    buyer: str
    """Статус со стороны покупателя; если не передан, поля нет."""


class OrderDetailsHistory(TypedDict):
    at: str
    """Когда сервис увидел эту перемену."""
    status: OrderDetailsHistoryStatus
    """Каким стал нормализованный статус."""
    marketplace_status: OrderDetailsHistoryMarketplaceStatus
    """Какой стала пара статусов маркетплейса, как есть."""


class _OrderDetails(TypedDict):
    id: str
    """Идентификатор заказа в сервисе."""
    cabinet: OrderDetailsCabinet
    """Кабинет, в котором создан заказ."""
    deadline: Optional[str]
    """До какого времени заказ нужно передать маркетплейсу; null, если срока нет."""
    lines: List[OrderDetailsLines]
    """Все товары заказа; barcode и article самого заказа — из первой строки. Набор, который собирают под заказ, — своими частями."""
    history: List[OrderDetailsHistory]
    """Как менялись статус и пара маркетплейса: сначала старые, последние 200."""


class OrderDetails(_OrderDetails, total=False):
    """Состав заказа и история его статусов."""

    cancel_reason: str
    """Почему отменён, словами маркетплейса; иначе поля нет."""


class _ReceiptItem(TypedDict):
    barcode: str
    """Штрихкод."""
    name: str
    """Название."""
    expected_qty: int
    """Заявлено единиц."""
    accepted_qty: int
    """Принято и посчитано единиц."""
    discrepancy_qty: int
    """Не хватает единиц; 0, пока приёмка не завершена."""


class ReceiptItem(_ReceiptItem, total=False):
    """Строка приёмки."""

    article: str
    """Артикул продавца; если нет, поля нет."""
    honest_mark: bool
    """Товар подлежит обязательной маркировке: каждая единица принимается по коду маркировки."""
    shortage_reason: str
    """Причина недостачи из пополняемого списка; без недостачи поля нет."""


ReceiptStatus = Literal["PENDING_CONFIRMATION", "EXPECTED", "RECEIVING", "RECEIVED", "RECEIVED_WITH_DISCREPANCY"]


ReceiptSource = Literal["api", "file", "manual"]


class _Receipt(TypedDict):
    id: str
    """Идентификатор приёмки."""
    number: str
    """Номер приёмки на складе."""
    status: ReceiptStatus
    """Состояние приёмки."""
    status_label: str
    """Состояние по-русски; текст может измениться."""
    expected_qty: int
    """Всего заявлено единиц."""
    accepted_qty: int
    """Всего принято единиц."""
    discrepancy_qty: int
    """Всего заявлено минус всего принято, не меньше 0; 0, пока приёмка не завершена. По строкам в сумме бывает больше."""
    created_at: str
    """Когда создана."""
    completed_at: Optional[str]
    """Когда завершена; null, пока не завершена."""
    planned_date: Optional[str]
    """Плановая дата поставки: полночь по Москве; null, если не указана."""
    confirmed_at: Optional[str]
    """Когда менеджер подтвердил заявку из API; иначе null."""


class Receipt(_Receipt, total=False):
    """Приёмка: продавец привозит товар, склад считает и принимает."""

    source: ReceiptSource
    """Кто заявил товар: api — система продавца, file — менеджер из файла, manual — менеджер вручную. У приёмок, созданных до версии 1.1, поля нет."""
    external_ref: str
    """Номер документа продавца, как передан. Только для source api."""
    comment: str
    """Комментарий."""
    items: List[ReceiptItem]
    """Состав; есть в ответе на одну приёмку и на создание, в списке поля нет."""


class ReceiptPage(TypedDict):
    """Страница приёмок."""

    items: List[Receipt]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class _ReceiptDraftItems(TypedDict):
    barcode: str
    """Штрихкод: один штрихкод — одна строка."""
    qty: int
    """Сколько единиц заявлено."""
    honest_mark: bool
    """Подлежит ли товар маркировке; одинаково для всех строк заявки."""


class ReceiptDraftItems(_ReceiptDraftItems, total=False):
    """Строка заявки."""

    name: str
    """Название; нужно, если товара ещё не было на складе и его нет в карточках подключённых кабинетов."""
    article: str
    """Артикул продавца; если не указан, берётся известный сервису."""


class _ReceiptDraft(TypedDict):
    items: List[ReceiptDraftItems]
    """Состав поставки."""


class ReceiptDraft(_ReceiptDraft, total=False):
    """Заявка на приёмку."""

    cabinet_id: str
    """Кабинет из GET /v1/me; обязателен, если кабинетов несколько."""
    external_ref: str
    """Номер документа в вашей системе. Повтор с тем же номером, пока первая заявка ждёт подтверждения, вернёт её же, а не создаст вторую."""
    comment: str
    """Комментарий."""
    planned_date: str
    """Плановая дата поставки: YYYY-MM-DD по Москве или время по RFC 3339."""


ShipmentMarketplace = Literal["WB", "OZON"]


ShipmentStatus = Literal["ASSEMBLING", "HANDED_OVER", "ACCEPTED"]


class _Shipment(TypedDict):
    id: str
    """Идентификатор отгрузки в сервисе."""
    marketplace: ShipmentMarketplace
    """Маркетплейс."""
    external_id: str
    """Номер отгрузки в кабинете маркетплейса."""
    status: ShipmentStatus
    """Состояние отгрузки."""
    status_label: str
    """Состояние по-русски; текст может измениться."""
    orders_count: int
    """Сколько заказов в отгрузке, вместе с отменёнными, которых склад ещё не убрал."""
    created_at: str
    """Когда открыта."""
    closed_at: Optional[str]
    """Когда закрыта на складе; null, пока собирается."""
    accepted_at: Optional[str]
    """Когда маркетплейс отсканировал отгрузку у себя (юридически значимая приёмка); до этого null."""


class Shipment(_Shipment, total=False):
    """Отгрузка: собранные заказы, которые склад передаёт маркетплейсу."""

    name: str
    """Название; если не дано, поля нет."""
    orders: List[Order]
    """Заказы; есть только в ответе на одну отгрузку."""


class ShipmentPage(TypedDict):
    """Страница отгрузок."""

    items: List[Shipment]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


ReturnStatus = Literal["OPEN", "FINISHED"]


ReturnItemsCondition = Literal["sellable", "damaged", "unknown"]


class _ReturnItems(TypedDict):
    order_id: Optional[str]
    """Заказ, с которым единицы уехали; null, если его не узнать."""
    order_external_id: Optional[str]
    """Номер этого заказа в кабинете."""
    barcode: str
    """Штрихкод товара."""
    name: str
    """Название товара."""
    qty: int
    """Сколько единиц."""
    condition: ReturnItemsCondition
    """sellable — можно продавать; damaged — повреждён, unknown — не осмотрен: они под вопросом."""


class ReturnItems(_ReturnItems, total=False):
    article: str
    """Артикул продавца; если нет, поля нет."""
    reason: str
    """Причина словами; если нет, поля нет."""


class _Return(TypedDict):
    id: str
    """Идентификатор."""
    number: str
    """Номер на акте склада: `RT-000001`."""
    status: ReturnStatus
    """OPEN — склад принимает, FINISHED — принял."""
    status_label: str
    """Состояние по-русски."""
    qty: int
    """Сколько единиц вернулось."""
    sellable_qty: int
    """Сколько из них можно продавать."""
    in_question_qty: int
    """Сколько повреждено или не осмотрено: они под вопросом."""
    created_at: str
    """Когда склад начал принимать."""
    finished_at: Optional[str]
    """Когда закончил; до этого null."""


class Return(_Return, total=False):
    """Возвраты, которые склад принял за один раз."""

    items: List[ReturnItems]
    """Что вернулось; в списке этого поля нет."""


class ReturnPage(TypedDict):
    """Страница возвратов."""

    items: List[Return]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class ReasonCount(TypedDict):
    """Сколько единиц приходится на причину."""

    reason: str
    """Код причины; список пополняется."""
    label: str
    """Причина по-русски."""
    count: int
    """Единиц."""


MetricsPeriod = TypedDict("MetricsPeriod", {"from": str, "to": str})


class MetricsFunnel(TypedDict):
    accepted: int
    """Единиц принято за период."""
    in_storage: int
    """Остаток сейчас: равен сумме quantity по GET /v1/stock."""
    shipped: int
    """Единиц в отгрузках, закрытых за период."""
    sorted_by_marketplace: int
    """Заказов, которые маркетплейс отсортировал или провёл дальше; не меньше delivered."""
    delivered: int
    """Заказов, полученных покупателем."""
    by_current_status: bool
    """true — sorted_by_marketplace и delivered посчитаны по нынешнему статусу заказов, созданных в периоде; false — по переходам внутри периода."""


class MetricsStorage(TypedDict):
    units: int
    """Единиц на складе сейчас."""
    boxes: int
    """Коробов с товаром сейчас."""
    pallets: int
    """Паллет с товаром сейчас."""
    sku_count: int
    """Разных товаров на складе сейчас."""
    in_question: int
    """Единиц под вопросом сейчас; входят в units."""
    received: int
    """Единиц принято за период."""
    shipped: int
    """Единиц отгружено за период."""


class MetricsReceiving(TypedDict):
    receipts: int
    """Приёмок завершено за период."""
    expected_units: int
    """В них заявлено единиц."""
    accepted_units: int
    """В них принято единиц."""
    fill_rate: float
    """accepted_units / expected_units; 0, если ничего не заявляли."""
    discrepancy_units: int
    """Единиц недостачи."""
    shortages_by_reason: List[ReasonCount]
    """Недостача по причинам; в сумме discrepancy_units."""


MetricsShipmentsOrdersByStatusStatus = Literal["NEW", "ASSEMBLING", "IN_DELIVERY", "COMPLETED", "CANCELLED", "OTHER"]


class MetricsShipmentsOrdersByStatus(TypedDict):
    status: MetricsShipmentsOrdersByStatusStatus
    """Статус заказа."""
    label: str
    """Статус по-русски."""
    count: int
    """Заказов."""


class MetricsShipments(TypedDict):
    orders_total: int
    """Заказов создано за период."""
    orders_by_status: List[MetricsShipmentsOrdersByStatus]
    """Они же по статусам; в сумме orders_total."""
    shipments_closed: int
    """Отгрузок закрыто за период."""
    units_shipped: int
    """Единиц отгружено за период."""
    cancelled: int
    """Заказов в статусе CANCELLED."""
    not_found: int
    """Единиц не найдено при сборке за период."""
    not_found_by_reason: List[ReasonCount]
    """Ненайденное по причинам; в сумме not_found."""


class Metrics(TypedDict):
    """Показатели за период."""

    period: MetricsPeriod
    """Период, за который посчитано."""
    funnel: MetricsFunnel
    """Воронка."""
    storage: MetricsStorage
    """Хранение."""
    receiving: MetricsReceiving
    """Приёмка."""
    shipments: MetricsShipments
    """Отгрузка."""
    notes: List[str]
    """Пояснения для человека."""


ChargeSourceKind = Literal["receipt", "order", "shipment", "return", "count", "product", "storage", "manual", "month"]


class ChargeSource(TypedDict):
    """За что начислено."""

    kind: ChargeSourceKind
    """receipt — приёмка, order — заказ, shipment — отгрузка, return — приём возвратов, count — пересчёт, product — товар, storage — хранение за день, manual — начислено вручную, month — месяц целиком."""
    id: str
    """Идентификатор; у товара — штрихкод, у хранения — день, у месяца — его первый день."""
    number: Optional[str]
    """Номер, как его знают люди; у начисленного вручную — того, к чему оно относится; null, если его нет."""
    comment: Optional[str]
    """За что начислили вручную; когда посчитали короба и паллеты за день, если не сразу после него."""


class Charge(TypedDict):
    """Начисление."""

    period: str
    """Расчётный период: первый день месяца."""
    day: str
    """День услуги по Москве; раньше периода — поправка к закрытому месяцу."""
    service: str
    """Код услуги."""
    service_name: str
    """Услуга по-русски."""
    unit: str
    """За что цена."""
    quantity: str
    """Количество, до трёх знаков."""
    price: str
    """Цена за единицу, рубли."""
    amount: str
    """Сумма, рубли: количество × цена до копейки. В поправке — разница сумм."""
    tariff: Optional[str]
    """Версия тарифа; null — цена не из тарифа."""
    source: ChargeSource


class ChargedService(TypedDict):
    """Начислено за услугу."""

    service: str
    """Код услуги."""
    service_name: str
    """Услуга по-русски."""
    unit: str
    """За что цена."""
    quantity: str
    """Количество, до трёх знаков."""
    amount: str
    """Сумма, рубли."""
    charges: int
    """Сколько начислений."""


class ChargedDay(TypedDict):
    """Начислено за день."""

    day: str
    """День услуги по Москве; раньше периода — поправка к закрытому месяцу."""
    amount: str
    """Сумма, рубли."""


class ChargePage(TypedDict):
    """Страница начислений."""

    items: List[Charge]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class ChargeSummary(TypedDict):
    """Сколько начислено."""

    amount: str
    """Всего, рубли."""
    services: List[ChargedService]
    """По услугам."""
    days: List[ChargedDay]
    """По дням, в которые что-то начислено."""
    computed_at: Optional[str]
    """По какой момент посчитаны открытые месяцы; null — ещё не посчитаны."""


class Act(TypedDict):
    """Акт оказанных услуг."""

    id: str
    """Идентификатор."""
    number: int
    """Номер: у клиента, подряд."""
    period: str
    """Расчётный период: первый день месяца."""
    day: str
    """Дата акта: последний день периода."""
    amount: str
    """Сумма начислений, рубли."""
    vat_rate: Optional[int]
    """Ставка НДС в процентах; null — без НДС."""
    vat: str
    """НДС, рубли."""
    total: str
    """К оплате, рубли."""
    provider_name: str
    """Исполнитель."""
    provider_inn: str
    """Его ИНН."""
    client_name: str
    """Заказчик."""
    client_inn: Optional[str]
    """Его ИНН; null, если он не заполнен."""
    made_at: str
    """Когда составлен."""


class ActPage(TypedDict):
    """Страница актов."""

    items: List[Act]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


Event = Union["ReceiptCreatedEvent", "ReceiptConfirmedEvent", "ReceiptStatusChangedEvent", "ReceiptCompletedEvent", "ShipmentStatusChangedEvent", "OrderStatusChangedEvent", "WebhookPingEvent"]


class LoggedAttempt(TypedDict):
    """Попытка одной доставки."""

    number: int
    """Которая попытка этой доставки."""
    at: str
    """Когда она началась."""
    status_code: int
    """Код ответа; 0 — ответа не было."""
    error: Optional[str]
    """Почему не удалась; null при удаче."""
    duration_ms: int
    """Сколько длилась, в миллисекундах."""


WebhookEvents = Literal["receipt.created", "receipt.confirmed", "receipt.status_changed", "receipt.completed", "shipment.status_changed", "order.status_changed"]


class _Webhook(TypedDict):
    id: str
    """Идентификатор подписки."""
    url: str
    """Адрес, на который приходят события."""
    events: List[WebhookEvents]
    """Типы событий."""
    active: bool
    """false после 8 неудач подряд: создайте подписку заново."""
    created_at: str
    """Когда создана."""
    disabled_at: Optional[str]
    """Когда отключена; null, пока работает."""
    last_delivery_at: Optional[str]
    """Когда была последняя попытка; null, если не было."""
    failures_in_row: int
    """Неудач подряд."""


class Webhook(_Webhook, total=False):
    """Подписка на события."""

    description: str
    """Описание; если не дано, поля нет."""
    disabled_reason: str
    """Почему отключена."""
    last_status_code: int
    """Последний код ответа; 0 — ответа не было."""


class WebhookList(TypedDict):
    """Подписки клиента."""

    items: List[Webhook]
    """Подписки, новые первыми."""


WebhookDraftEvents = Literal["receipt.created", "receipt.confirmed", "receipt.status_changed", "receipt.completed", "shipment.status_changed", "order.status_changed"]


class _WebhookDraft(TypedDict):
    url: str
    """Адрес, доступный из интернета: https, с тестовым ключом также http."""
    events: List[WebhookDraftEvents]
    """Типы событий, хотя бы один."""


class WebhookDraft(_WebhookDraft, total=False):
    """Новая подписка."""

    description: str
    """Описание."""


class CreatedWebhook(TypedDict):
    """Новая подписка и её секрет."""

    webhook: Webhook
    secret: str
    """Секрет подписи. Показан один раз."""


class QueuedPing(TypedDict):
    """Проверка поставлена в очередь."""

    event_id: str
    """Событие проверки: его видно в журнале доставок."""
    message: str
    """Что сделано."""


DeliveryEventType = Literal["receipt.created", "receipt.confirmed", "receipt.status_changed", "receipt.completed", "shipment.status_changed", "order.status_changed", "webhook.ping"]


DeliveryStatus = Literal["PENDING", "DELIVERED", "FAILED"]


class _Delivery(TypedDict):
    id: str
    """Идентификатор доставки."""
    webhook_id: str
    """Подписка."""
    event_id: str
    """Событие."""
    event_type: DeliveryEventType
    """Тип события."""
    status: DeliveryStatus
    """Состояние доставки."""
    attempts: int
    """Сколько было попыток."""
    last_attempt_at: Optional[str]
    """Когда была последняя попытка; null, если не было."""
    next_attempt_at: Optional[str]
    """Когда следующая попытка; null, если её не будет."""
    created_at: str
    """Когда создана."""


class Delivery(_Delivery, total=False):
    """Доставка события по подписке."""

    last_status_code: int
    """Код ответа; 0 — ответа не было."""
    last_error: str
    """Почему попытка не удалась."""
    payload: Event


class DeliveryPage(TypedDict):
    """Страница журнала доставок."""

    items: List[Delivery]
    """Страница списка."""
    total: int
    """Сколько всего подходит под фильтр, на всех страницах."""
    next_cursor: Optional[str]
    """Передайте в cursor следующего запроса; null на последней странице."""


class AttemptList(TypedDict):
    """Попытки одной доставки."""

    items: List[LoggedAttempt]
    """Попытки по порядку."""


class QueuedResend(TypedDict):
    """Событие поставлено в очередь ещё раз."""

    delivery_id: str
    """Новая доставка того же события."""
    event_id: str
    """Событие."""
    message: str
    """Что сделано."""


class _ResendDraft(TypedDict):
    since: str
    """Начало периода: время RFC 3339 или дата YYYY-MM-DD. Считается время события."""


class ResendDraft(_ResendDraft, total=False):
    """Что отправить ещё раз."""

    until: str
    """Конец периода, не включая его; без него — сейчас."""
    status: Literal["FAILED"]
    """FAILED — только события, доставка которых по этой подписке не удалась. Без него — все события её типов, которые она не получила, и те, что были до её создания."""


class QueuedResends(TypedDict):
    """События поставлены в очередь ещё раз."""

    queued: int
    """Сколько событий поставлено в очередь."""
    has_more: bool
    """true — это наибольшее за один запрос (10000): повторите его."""
    message: str
    """Что сделано."""


class EventFeedPage(TypedDict):
    """Страница ленты событий."""

    items: List[Event]
    """События, старые первыми."""
    next_after: str
    """Передайте в after следующего запроса, с теми же types. Есть всегда и не устаревает после перезапуска."""
    has_more: bool
    """true — дальше есть ещё: запросите сразу."""


class SandboxKey(TypedDict):
    """Тестовый ключ."""

    key: str
    """Тестовый ключ. Нигде не хранится: потеряли — получите новый."""
    expires_after_idle: str
    """Через сколько без запросов песочница вернётся к исходному сценарию."""
    docs: str
    """Описание интерфейса."""


class SandboxMessage(TypedDict):
    """Итог действия."""

    message: str
    """Что сделано."""


SandboxTriggerTrigger = Literal["receipt_confirmed", "receipt_completed", "receipt_with_shortage", "order_new", "order_cancelled", "order_delivered", "mark_refused", "shipment_handed_over", "shipment_accepted", "goods_in_question", "sync_error", "sync_restored", "unknown_status", "goods_without_barcode", "empty_stock"]


SandboxTriggerTouchedObject = Literal["receipt", "order", "shipment", "stock_item", "cabinet"]


class SandboxTriggerTouched(TypedDict):
    object: SandboxTriggerTouchedObject
    """Вид объекта."""
    id: str
    """Его id; у остатка — штрихкод."""


class SandboxTrigger(TypedDict):
    """Что произошло в песочнице."""

    trigger: SandboxTriggerTrigger
    """Имя ситуации."""
    touched: List[SandboxTriggerTouched]
    """Объекты, которые изменились; первый — тот, о котором ситуация."""
    message: str
    """Что сделано."""


class SandboxAdvance(TypedDict):
    """На сколько продвинуть время склада."""

    hours: int
    """Сколько часов склада проходит."""


class SandboxAdvanced(TypedDict):
    """Что произошло за это время."""

    hours: int
    """Сколько часов прошло."""
    completed_receipts: int
    """Сколько ваших заявок посчитано."""
    new_orders: int
    """Сколько заказов появилось."""
    handed_over_shipments: int
    """Сколько отгрузок передано маркетплейсу."""
    message: str
    """Что сделано."""


class SandboxReceiverDraft(TypedDict):
    """Новый приёмник."""

    answers: List[str]
    """Ответы по порядку; последний повторяется дальше."""


class CreatedSandboxReceiver(TypedDict):
    """Приёмник создан."""

    id: str
    """Идентификатор приёмника."""
    url: str
    """Адрес для POST /v1/webhooks."""


class SandboxReceiverRequests(TypedDict):
    at: str
    """Когда пришёл."""
    headers: Dict[str, str]
    """Заголовки."""
    body: str
    """Тело, как пришло: подпись считают от него."""
    signature_valid: bool
    """Подпись верна."""
    answer: str
    """Что ответил приёмник."""


class SandboxReceiver(TypedDict):
    """Приёмник и что в него пришло."""

    id: str
    """Идентификатор приёмника."""
    url: str
    """Адрес для POST /v1/webhooks."""
    answers: List[str]
    """Ответы по порядку; последний повторяется дальше."""
    requests: List[SandboxReceiverRequests]
    """Что пришло, новые первыми, не больше 100."""


class ReceiptCreatedEvent(TypedDict):
    """Событие receipt.created."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["receipt.created"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: Receipt


class ReceiptConfirmedEvent(TypedDict):
    """Событие receipt.confirmed."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["receipt.confirmed"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: Receipt


ReceiptStatusChangedEventDataPreviousStatus = Literal["PENDING_CONFIRMATION", "EXPECTED", "RECEIVING", "RECEIVED", "RECEIVED_WITH_DISCREPANCY"]


class ReceiptStatusChangedEventData(TypedDict):
    object: Receipt
    previous_status: ReceiptStatusChangedEventDataPreviousStatus
    """Состояние до события."""


class ReceiptStatusChangedEvent(TypedDict):
    """Событие receipt.status_changed."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["receipt.status_changed"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: ReceiptStatusChangedEventData


class ReceiptCompletedEvent(TypedDict):
    """Событие receipt.completed."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["receipt.completed"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: Receipt


ShipmentStatusChangedEventDataPreviousStatus = Literal["ASSEMBLING", "HANDED_OVER", "ACCEPTED"]


class ShipmentStatusChangedEventData(TypedDict):
    object: Shipment
    previous_status: ShipmentStatusChangedEventDataPreviousStatus
    """Состояние до события."""


class ShipmentStatusChangedEvent(TypedDict):
    """Событие shipment.status_changed."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["shipment.status_changed"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: ShipmentStatusChangedEventData


OrderStatusChangedEventDataPreviousStatus = Literal["NEW", "ASSEMBLING", "IN_DELIVERY", "COMPLETED", "CANCELLED", "OTHER"]


class OrderStatusChangedEventData(TypedDict):
    object: Order
    previous_status: OrderStatusChangedEventDataPreviousStatus
    """Состояние до события."""


class OrderStatusChangedEvent(TypedDict):
    """Событие order.status_changed."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["order.status_changed"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: OrderStatusChangedEventData


class WebhookPingEventData(TypedDict):
    webhook_id: str
    """Подписка."""
    message: str
    """Текст для человека."""


class WebhookPingEvent(TypedDict):
    """Событие webhook.ping."""

    id: str
    """Событие: одно значение на все его повторы."""
    type: Literal["webhook.ping"]
    """Тип события."""
    occurred_at: str
    """Когда произошло."""
    data: WebhookPingEventData


ListStockSelection = Literal["in_question", "shows_more"]


ListLotsState = Literal["expired", "soon", "good", "unknown", "expiring"]


ListOrdersMarketplace = Literal["WB", "OZON"]


ListOrdersStatus = Literal["NEW", "ASSEMBLING", "IN_DELIVERY", "COMPLETED", "CANCELLED", "OTHER"]


ListReceiptsStatus = Literal["PENDING_CONFIRMATION", "EXPECTED", "RECEIVING", "RECEIVED", "RECEIVED_WITH_DISCREPANCY"]


ListShipmentsMarketplace = Literal["WB", "OZON"]


ListShipmentsStatus = Literal["ASSEMBLING", "HANDED_OVER", "ACCEPTED"]


ListReturnsStatus = Literal["OPEN", "FINISHED"]


GetActFileFormat = Literal["pdf", "html", "1c"]


ListGoodsIsSet = Literal["true", "false"]


ListDeliveriesStatus = Literal["PENDING", "DELIVERED", "FAILED"]
