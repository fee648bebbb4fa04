"""Клиент интерфейса Sklad: остатки, заказы, приёмки, отгрузки, события склада. Без зависимостей.

    sklad = Sklad("svc_…", "https://api.example.ru")
    for order in sklad.orders.all(status="NEW"):
        print(order["external_id"])

Объекты — словари с теми же именами полей, что в интерфейсе; их типы — в sklad.api. Ошибки — SkladError.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import math
import random
import re
import socket
import time
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Iterator, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union

from . import api

__version__ = "1.1.0"
__all__ = ["Sklad", "SkladError", "StockChanges", "api", "verify_webhook"]

RATE_WAIT_MAX = 300.0  # seconds that one call waits for the rate, in all
RATE_JITTER = 0.5
PAUSE_BASE, PAUSE_MAX = 0.5, 30.0
FEED_WAIT_MAX = 25  # the service holds the answer of the feed no longer
DAY = 24 * 60 * 60
ACT_MEDIA = {"pdf": "application/pdf", "html": "text/html", "1c": "text/csv"}

# Codes under which the service has done nothing: any call may be repeated.
REFUSALS = ("rate_limited", "warehouse_unavailable", "webhooks_unavailable")


class SkladError(Exception):
    """Ошибка вызова. Логику стройте на code: он не меняется, message — для человека.

    Коды — из описания интерфейса; свои у клиента connection_lost, timeout (ответа нет, status равен 0),
    unexpected_answer, signature_missing, signature_stale, signature_mismatch и body_invalid.
    """

    def __init__(
        self, code: str, message: str, *, status: int = 0, request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
    ) -> None:
        super().__init__(f"{code}: {message}" + (f" (запрос {request_id})" if request_id else ""))
        self.code = code
        self.message = message
        #: Код HTTP; 0, если ответа не было.
        self.status = status
        #: Назовите его, если обратитесь за помощью.
        self.request_id = request_id
        #: Через сколько секунд повторить: из заголовка Retry-After.
        self.retry_after_seconds = retry_after_seconds


class StockChanges(api.StockItemPage):
    """Остатки и метка, по которой узнают, изменились ли они."""

    etag: str


@dataclass(frozen=True)
class _Call:
    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Optional[Mapping[str, Any]] = None
    headers: Mapping[str, str] = field(default_factory=dict)
    #: "always": once more does no harm. "refused": only where the service has surely done nothing.
    repeats: str = "refused"
    #: Overrides the client's.
    retries: Optional[float] = None
    #: What the answer has to be, where it is a file: its bytes are the body.
    media: Optional[str] = None
    #: How many seconds the service itself may hold the answer, added to the timeout.
    held: float = 0
    #: Asked after the pause and before a repeat; an answer ends the call.
    before_repeat: Callable[[SkladError], Optional[_Answer]] = lambda _: None


@dataclass(frozen=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    #: None for an answer without a body.
    body: Any


class _AsAnswered(urllib.request.HTTPErrorProcessor):
    """Hands over every status as it came. A redirect is not followed: it would carry the key to another address."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class _Transport:
    """Sends calls, and repeats what failed and may be repeated."""

    def __init__(
        self, key: Optional[str], base_url: str, timeout: float = 30.0, retries: int = 4,
        wait: Callable[[float], object] = time.sleep, chance: Callable[[], float] = random.random,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        if key is not None and not re.fullmatch(r"[\x21-\x7e]+", key):
            raise ValueError("key: это не ключ; скопируйте его целиком, без пробелов и многоточия")
        self._key = key
        self._base_url = _checked_base_url(base_url)
        self._timeout = timeout
        self._retries = retries
        self._wait = wait
        self._chance = chance
        self.elapsed = elapsed
        self._opener = urllib.request.build_opener(_AsAnswered)

    def get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Any:
        return self.send(_Call("GET", path, query or {}, repeats="always")).body

    def post(self, path: str, body: Optional[Mapping[str, Any]] = None, repeats: str = "refused") -> Any:
        return self.send(_Call("POST", path, body=body, repeats=repeats)).body

    def send(self, call: _Call) -> _Answer:
        retries = self._retries if call.retries is None else call.retries
        attempt = 0
        while True:
            try:
                return self._pass(call, retries)
            except SkladError as error:
                if attempt >= retries or error.code == "rate_limited" or not _may_repeat(call, error):
                    raise
                failure = error
            self._wait(self._pause(attempt, failure))
            answer = call.before_repeat(failure)
            if answer is not None:
                return answer
            attempt += 1

    def _pass(self, call: _Call, retries: float) -> _Answer:
        """Waits for the rate, which uses up no repeat."""
        started = self.elapsed()
        while True:
            try:
                return self._exchange(call)
            except SkladError as error:
                if error.code != "rate_limited" or retries == 0:
                    raise
                seconds = 1 if error.retry_after_seconds is None else error.retry_after_seconds
                # Other programs may have the same key: chance keeps them from coming back together.
                pause = seconds + self._chance() * RATE_JITTER
                if retries != math.inf and self.elapsed() - started + pause > RATE_WAIT_MAX:
                    raise
            self._wait(pause)

    def _pause(self, attempt: int, error: SkladError) -> float:
        growing = min(PAUSE_MAX, PAUSE_BASE * 2 ** min(attempt, 30))
        return (error.retry_after_seconds or 0) + self._chance() * growing

    def _exchange(self, call: _Call) -> _Answer:
        query = urllib.parse.urlencode(_given(call.query))
        headers = {"User-Agent": f"sklad-python/{__version__}", **call.headers}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        data = None
        if call.body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(_given(call.body)).encode()
        url = self._base_url + call.path + (f"?{query}" if query else "")
        request = urllib.request.Request(url, data, headers, method=call.method)
        timeout = self._timeout + call.held
        try:
            with self._opener.open(request, timeout=timeout) as response:
                return _answer_of(response.status, response.headers, response.read(), call.media)
        except (OSError, http.client.HTTPException) as error:
            # socket.timeout is TimeoutError from Python 3.10 on.
            if isinstance(getattr(error, "reason", error), (socket.timeout, TimeoutError)):
                raise SkladError("timeout", f"Сервис не ответил за {timeout:g} с") from error
            parts = urllib.parse.urlsplit(self._base_url)
            message = f"Соединение с {parts.scheme}://{parts.netloc} прервано или не установлено"
            raise SkladError("connection_lost", message) from error


def _checked_base_url(given: str) -> str:
    parts = urllib.parse.urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f'base_url: "{given}" — не адрес, который начинается с https:// или http://')
    base_url = given.rstrip("/")
    if base_url.endswith("/v1"):
        raise ValueError(f'base_url: "{given}" — уберите /v1, клиент добавляет его сам')
    return base_url


def _given(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _segment(id: str) -> str:
    """A part of a path."""
    if not isinstance(id, str) or id in ("", ".", ".."):
        raise ValueError(f'"{id}" — не идентификатор')
    return urllib.parse.quote(id, safe="")


def _answer_of(status: int, headers: Mapping[str, str], data: bytes, media: Optional[str]) -> _Answer:
    is_file = media is not None and 200 <= status < 300
    if is_file and headers.get("Content-Type", "").startswith(media or ""):
        return _Answer(status, headers, data)
    try:
        body = json.loads(data) if data else None
    except ValueError:
        body = None
    if not is_file and (200 <= status < 300 or status == 304) and (body is not None or not data):
        return _Answer(status, headers, body)
    retry_after = headers.get("Retry-After", "")
    facts: dict[str, Any] = {
        "status": status,
        "request_id": headers.get("X-Request-Id"),
        "retry_after_seconds": int(retry_after) if re.fullmatch(r"[0-9]{1,9}", retry_after) else None,
    }
    error = body.get("error") if isinstance(body, dict) else None
    if status < 400 or not isinstance(error, dict) or not isinstance(error.get("code"), str):
        raise SkladError("unexpected_answer", f"Непонятный ответ: HTTP {status}", **facts)
    if isinstance(error.get("request_id"), str):
        facts["request_id"] = error["request_id"]
    raise SkladError(error["code"], str(error.get("message")), **facts)


def _may_repeat(call: _Call, error: SkladError) -> bool:
    return error.code in REFUSALS or (call.repeats == "always" and _is_outcome_unknown(error))


def _is_outcome_unknown(error: SkladError) -> bool:
    """Whether the service may have done the work although its answer did not come."""
    if error.code in ("internal", "connection_lost", "timeout"):
        return True
    return error.code == "unexpected_answer" and error.status >= 500


def _items(read: Callable[[Optional[str]], Any], cursor: Optional[str]) -> Iterator[Any]:
    """Items of all pages, one page in memory at a time."""
    while True:
        page = read(cursor)
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def _fields(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments of a method, as the interface names them: `from` is a word of the language."""
    return {name.rstrip("_"): value for name, value in arguments.items() if name not in ("self", "id")}


class _Part:
    def __init__(self, transport: _Transport) -> None:
        self._transport = transport

    def _all(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        return _items(lambda cursor: self._transport.get(path, {**query, "cursor": cursor}), query["cursor"])


class Stock(_Part):
    """Остатки на складе."""

    def list(
        self, *, barcode: Optional[str] = None, search: Optional[str] = None,
        words: Optional[str] = None, selection: Optional[api.ListStockSelection] = None,
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> api.StockItemPage:
        return self._transport.get("/v1/stock", _fields(locals()))

    def get(self, barcode: str) -> api.StockItem:
        return self._transport.get(f"/v1/stock/{_segment(barcode)}")

    def in_question(self, barcode: str) -> api.UnitsInQuestionList:
        """Почему единицы товара под вопросом и как давно."""
        return self._transport.get(f"/v1/stock/{_segment(barcode)}/in-question")

    def changes(
        self, *, since: Optional[str] = None, barcode: Optional[str] = None, search: Optional[str] = None,
        words: Optional[str] = None, selection: Optional[api.ListStockSelection] = None,
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> Optional[StockChanges]:
        """Первая страница, если остатки изменились после since; None, если нет. Без since — всегда страница.

        В since передайте etag прошлого ответа с теми же фильтрами.
        """
        query = {**_fields(locals()), "since": None}
        headers = {} if since is None else {"If-None-Match": since}
        answer = self._transport.send(_Call("GET", "/v1/stock", query, headers=headers, repeats="always"))
        if answer.status == 304:
            return None
        answer.body["etag"] = answer.headers.get("ETag", "")
        return answer.body

    def all(
        self, *, barcode: Optional[str] = None, search: Optional[str] = None,
        words: Optional[str] = None, selection: Optional[api.ListStockSelection] = None, limit: int = 1000,
        cursor: Optional[str] = None,
    ) -> Iterator[api.StockItem]:
        """Все товары: страницы запрашиваются по мере чтения."""
        return self._all("/v1/stock", _fields(locals()))

    def history(
        self, *, at: str, barcode: Optional[str] = None, search: Optional[str] = None,
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> api.PastStockPage:
        """Остатки на прошлый момент at, по журналу движений."""
        return self._transport.get("/v1/stock-history", _fields(locals()))

    def all_history(
        self, *, at: str, barcode: Optional[str] = None, search: Optional[str] = None, limit: int = 1000,
        cursor: Optional[str] = None,
    ) -> Iterator[api.PastStockItem]:
        """Все товары на прошлый момент: страницы запрашиваются по мере чтения."""
        return self._all("/v1/stock-history", _fields(locals()))

    def lots(
        self, *, barcode: Optional[str] = None, state: Optional[api.ListLotsState] = None,
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> api.GoodsLotPage:
        """Партии по сроку годности, сначала те, чей срок ближе."""
        return self._transport.get("/v1/lots", _fields(locals()))

    def all_lots(
        self, *, barcode: Optional[str] = None, state: Optional[api.ListLotsState] = None, limit: int = 1000,
        cursor: Optional[str] = None,
    ) -> Iterator[api.GoodsLot]:
        """Все партии: страницы запрашиваются по мере чтения."""
        return self._all("/v1/lots", _fields(locals()))


class Goods(_Part):
    """Товары и наборы: из чего набор и сколько наборов выйдет из частей."""

    def list(
        self, *, barcode: Optional[str] = None, is_set: Optional[api.ListGoodsIsSet] = None,
        limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> api.GoodsPage:
        return self._transport.get("/v1/goods", _fields(locals()))

    def all(
        self, *, barcode: Optional[str] = None, is_set: Optional[api.ListGoodsIsSet] = None,
        limit: int = 1000, cursor: Optional[str] = None,
    ) -> Iterator[api.GoodsItem]:
        """Все товары по возрастанию штрихкода: страницы запрашиваются по мере чтения."""
        return self._all("/v1/goods", _fields(locals()))


class Orders(_Part):
    """Заказы покупателей."""

    def list(
        self, *, marketplace: Optional[api.ListOrdersMarketplace] = None,
        status: Optional[api.ListOrdersStatus] = None, shipment_id: Optional[str] = None,
        barcode: Optional[str] = None, external_id: Optional[str] = None, created_from: Optional[str] = None,
        created_to: Optional[str] = None, words: Optional[str] = None, limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> api.OrderPage:
        return self._transport.get("/v1/orders", _fields(locals()))

    def get(self, id: str) -> api.Order:
        return self._transport.get(f"/v1/orders/{_segment(id)}")

    def details(self, id: str) -> api.OrderDetails:
        """Состав заказа и история его статусов."""
        return self._transport.get(f"/v1/orders/{_segment(id)}/details")

    def all(
        self, *, marketplace: Optional[api.ListOrdersMarketplace] = None,
        status: Optional[api.ListOrdersStatus] = None, shipment_id: Optional[str] = None,
        barcode: Optional[str] = None, external_id: Optional[str] = None, created_from: Optional[str] = None,
        created_to: Optional[str] = None, words: Optional[str] = None, limit: int = 1000,
        cursor: Optional[str] = None,
    ) -> Iterator[api.Order]:
        """Все заказы под фильтром: страницы запрашиваются по мере чтения."""
        return self._all("/v1/orders", _fields(locals()))


class Receipts(_Part):
    """Приёмки и заявки на них."""

    def list(
        self, *, status: Optional[api.ListReceiptsStatus] = None, external_ref: Optional[str] = None,
        created_from: Optional[str] = None, created_to: Optional[str] = None, limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> api.ReceiptPage:
        """Приёмки без состава."""
        return self._transport.get("/v1/receipts", _fields(locals()))

    def get(self, id: str) -> api.Receipt:
        """Приёмка вместе с составом."""
        return self._transport.get(f"/v1/receipts/{_segment(id)}")

    def all(
        self, *, status: Optional[api.ListReceiptsStatus] = None, external_ref: Optional[str] = None,
        created_from: Optional[str] = None, created_to: Optional[str] = None, limit: int = 200,
        cursor: Optional[str] = None,
    ) -> Iterator[api.Receipt]:
        """Все приёмки под фильтром: страницы запрашиваются по мере чтения."""
        return self._all("/v1/receipts", _fields(locals()))

    def create(
        self, *, items: Sequence[api.ReceiptDraftItems], external_ref: Optional[str] = None,
        cabinet_id: Optional[str] = None, comment: Optional[str] = None, planned_date: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> api.Receipt:
        """Создаёт заявку на приёмку; повторяется сам.

        Если есть external_ref и ответ потерялся, клиент сначала ищет заявку с этим номером: подтверждённую повтор создал
        бы второй раз. Если вызов всё же закончился ошибкой без ответа, ищите её по номеру и вы, прежде чем создавать
        снова. Без external_ref повтор узнаёт сервис, по Idempotency-Key: клиент придумывает его сам; задайте
        idempotency_key, если можете повторить вызов после перезапуска программы.
        """
        draft = {**_fields(locals()), "idempotency_key": None}
        if idempotency_key is None:
            idempotency_key = str(uuid.uuid4())
        if not re.fullmatch(r"[\x21-\x7e]{1,255}", idempotency_key):
            raise ValueError("idempotency_key: нужны от 1 до 255 видимых знаков ASCII")
        started = self._transport.elapsed()
        may_exist = False

        def before_repeat(error: SkladError) -> Optional[_Answer]:
            nonlocal may_exist
            may_exist = may_exist or _is_outcome_unknown(error)
            if external_ref is None or not may_exist:
                return None
            return self._look_up(external_ref, self._transport.elapsed() - started)

        call = _Call(
            "POST", "/v1/receipts", body=draft, headers={"Idempotency-Key": idempotency_key}, repeats="always",
            before_repeat=before_repeat,
        )
        return self._transport.send(call).body

    def _look_up(self, external_ref: str, called_ago: float) -> Optional[_Answer]:
        """The newest receipt of this reference, unless it is a day older than the call: a number may be used again,
        and a receipt of last year is no answer to a request of today. The age is by the service's own clock."""
        query = {"external_ref": external_ref, "limit": 200}
        answer = self._transport.send(_Call("GET", "/v1/receipts", query, repeats="always"))
        date = answer.headers.get("Date")
        oldest = parsedate_to_datetime(date).timestamp() - called_ago - DAY if date else -math.inf
        created = lambda receipt: datetime.fromisoformat(receipt["created_at"]).timestamp()
        found = [
            receipt
            for receipt in answer.body["items"]
            if receipt.get("external_ref") == external_ref and created(receipt) >= oldest
        ]
        if not found:
            return None
        path = f"/v1/receipts/{_segment(max(found, key=created)['id'])}"
        return self._transport.send(_Call("GET", path, repeats="always"))


class Shipments(_Part):
    """Отгрузки маркетплейсам."""

    def list(
        self, *, marketplace: Optional[api.ListShipmentsMarketplace] = None,
        status: Optional[api.ListShipmentsStatus] = None, external_id: Optional[str] = None,
        created_from: Optional[str] = None, created_to: Optional[str] = None, limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> api.ShipmentPage:
        return self._transport.get("/v1/shipments", _fields(locals()))

    def get(self, id: str) -> api.Shipment:
        """Отгрузка вместе с заказами."""
        return self._transport.get(f"/v1/shipments/{_segment(id)}")

    def all(
        self, *, marketplace: Optional[api.ListShipmentsMarketplace] = None,
        status: Optional[api.ListShipmentsStatus] = None, external_id: Optional[str] = None,
        created_from: Optional[str] = None, created_to: Optional[str] = None, limit: int = 200,
        cursor: Optional[str] = None,
    ) -> Iterator[api.Shipment]:
        """Все отгрузки под фильтром: страницы запрашиваются по мере чтения."""
        return self._all("/v1/shipments", _fields(locals()))


class Returns(_Part):
    """Возвраты, которые принял склад."""

    def list(
        self, *, status: Optional[api.ListReturnsStatus] = None, created_from: Optional[str] = None,
        created_to: Optional[str] = None, limit: Optional[int] = None, cursor: Optional[str] = None,
    ) -> api.ReturnPage:
        """Возвраты без состава."""
        return self._transport.get("/v1/returns", _fields(locals()))

    def get(self, id: str) -> api.Return:
        """Возврат вместе с составом."""
        return self._transport.get(f"/v1/returns/{_segment(id)}")

    def all(
        self, *, status: Optional[api.ListReturnsStatus] = None, created_from: Optional[str] = None,
        created_to: Optional[str] = None, limit: int = 200, cursor: Optional[str] = None,
    ) -> Iterator[api.Return]:
        """Все возвраты под фильтром: страницы запрашиваются по мере чтения."""
        return self._all("/v1/returns", _fields(locals()))


class Charges(_Part):
    """Что склад начислил и за что. Деньги — строки: рубли и копейки."""

    def list(
        self, *, from_: Optional[str] = None, to: Optional[str] = None, period: Optional[str] = None,
        service: Optional[str] = None, source: Optional[str] = None, limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> api.ChargePage:
        return self._transport.get("/v1/charges", _fields(locals()))

    def summary(
        self, *, from_: Optional[str] = None, to: Optional[str] = None, period: Optional[str] = None,
        service: Optional[str] = None, source: Optional[str] = None,
    ) -> api.ChargeSummary:
        """Суммы по услугам и дням."""
        return self._transport.get("/v1/charges/summary", _fields(locals()))

    def all(
        self, *, from_: Optional[str] = None, to: Optional[str] = None, period: Optional[str] = None,
        service: Optional[str] = None, source: Optional[str] = None, limit: int = 1000,
        cursor: Optional[str] = None,
    ) -> Iterator[api.Charge]:
        """Все начисления под фильтром: страницы запрашиваются по мере чтения."""
        return self._all("/v1/charges", _fields(locals()))


class Acts(_Part):
    """Акты закрытых месяцев."""

    def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> api.ActPage:
        return self._transport.get("/v1/acts", _fields(locals()))

    def get(self, id: str) -> api.Act:
        return self._transport.get(f"/v1/acts/{_segment(id)}")

    def file(self, id: str, *, format: Optional[api.GetActFileFormat] = None) -> bytes:
        """Акт файлом: PDF, страница или строки для 1С."""
        path = f"/v1/acts/{_segment(id)}/file"
        media = ACT_MEDIA[format or "pdf"]
        return self._transport.send(_Call("GET", path, {"format": format}, repeats="always", media=media)).body

    def all(self, *, limit: int = 200, cursor: Optional[str] = None) -> Iterator[api.Act]:
        """Все акты, последний первым: страницы запрашиваются по мере чтения."""
        return self._all("/v1/acts", _fields(locals()))


class Webhooks(_Part):
    """Подписки на события."""

    def list(self) -> api.WebhookList:
        return self._transport.get("/v1/webhooks")

    def create(
        self, *, url: str, events: Sequence[api.WebhookDraftEvents], description: Optional[str] = None,
    ) -> api.CreatedWebhook:
        """Секрет подписи показан один раз, в ответе."""
        return self._transport.post("/v1/webhooks", _fields(locals()))

    def get(self, id: str) -> api.Webhook:
        return self._transport.get(f"/v1/webhooks/{_segment(id)}")

    def delete(self, id: str) -> None:
        """Журнал доставок удаляется вместе с подпиской."""
        may_be_gone = False

        def before_repeat(error: SkladError) -> None:
            nonlocal may_be_gone
            may_be_gone = may_be_gone or _is_outcome_unknown(error)

        path = f"/v1/webhooks/{_segment(id)}"
        try:
            self._transport.send(_Call("DELETE", path, repeats="always", before_repeat=before_repeat))
        except SkladError as error:
            if not (may_be_gone and error.code == "not_found"):
                raise

    def ping(self, id: str) -> api.QueuedPing:
        """Ставит в очередь webhook.ping; итог виден в журнале доставок."""
        return self._transport.post(f"/v1/webhooks/{_segment(id)}/ping")

    def deliveries(
        self, id: str, *, status: Optional[api.ListDeliveriesStatus] = None, limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> api.DeliveryPage:
        """Журнал доставок, новые первыми."""
        return self._transport.get(f"/v1/webhooks/{_segment(id)}/deliveries", _fields(locals()))

    def all_deliveries(
        self, id: str, *, status: Optional[api.ListDeliveriesStatus] = None, limit: int = 200,
        cursor: Optional[str] = None,
    ) -> Iterator[api.Delivery]:
        """Весь журнал: страницы запрашиваются по мере чтения."""
        return self._all(f"/v1/webhooks/{_segment(id)}/deliveries", _fields(locals()))

    def delivery(self, id: str, delivery_id: str) -> api.Delivery:
        """Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery."""
        return self._transport.get(_delivery_path(id, delivery_id))

    def attempts(self, id: str, delivery_id: str) -> api.AttemptList:
        """Попытки одной доставки, по порядку."""
        return self._transport.get(_delivery_path(id, delivery_id) + "/attempts")

    def resend_delivery(self, id: str, delivery_id: str) -> api.QueuedResend:
        """Отправляет событие доставки ещё раз, новой доставкой."""
        return self._transport.post(_delivery_path(id, delivery_id) + "/resend")

    def resend(
        self, id: str, *, since: str, until: Optional[str] = None, status: Optional[Literal["FAILED"]] = None,
    ) -> api.QueuedResends:
        """Отправляет ещё раз события периода."""
        return self._transport.post(f"/v1/webhooks/{_segment(id)}/resend", _fields(locals()))


def _delivery_path(id: str, delivery_id: str) -> str:
    return f"/v1/webhooks/{_segment(id)}/deliveries/{_segment(delivery_id)}"


class Events(_Part):
    """Лента событий."""

    def list(
        self, *, after: Optional[str] = None, types: Optional[Sequence[str]] = None, limit: Optional[int] = None,
        wait: Optional[int] = None,
    ) -> api.EventFeedPage:
        return self._read(after, types, limit, wait)

    def stream(
        self, *, after: Optional[str] = None, types: Optional[Sequence[str]] = None, limit: Optional[int] = None,
        wait: int = FEED_WAIT_MAX,
    ) -> Iterator[Tuple[api.Event, str]]:
        """Все события после after и дальше, по мере того как они происходят; конца нет.

        Каждое — вместе с позицией, после которой читать следующее: сохраните её вместе с обработанным событием. Типы
        событий должны быть теми же. Обрыв связи, перезапуск и перегрузка сервиса ленту не прерывают: она продолжается
        сама, и ни одно событие не теряется и не повторяется. Ошибка bad_cursor значит, что позиция устарела: начните
        без after и сверьте списки.
        """
        while True:
            page = self._read(after, types, limit, wait, retries=math.inf)
            start, _ = _place_of(after)
            for event in page["items"]:
                is_last = event is page["items"][-1]
                yield event, page["next_after"] if is_last else f"{start}{MARK}{event['id']}"
            after = page["next_after"]

    def _read(
        self, after: Optional[str], types: Optional[Sequence[str]], limit: Optional[int], wait: Optional[int],
        retries: Optional[float] = None,
    ) -> api.EventFeedPage:
        start, last = _place_of(after)
        joined = types if types is None or isinstance(types, str) else ",".join(types)
        query = {"after": start or None, "types": joined, "limit": limit, "wait": wait}
        held = min(wait or 0, FEED_WAIT_MAX)
        call = _Call("GET", "/v1/events", query, repeats="always", retries=retries, held=held)
        page = self._transport.send(call).body
        ids = [event["id"] for event in page["items"]]
        known = ids.index(last) + 1 if last in ids else 0
        return {"items": page["items"][known:], "next_after": page["next_after"], "has_more": page["has_more"]}


# The service gives a position at the end of a page. A position within a page is the page's own position and the last
# event that was seen. The order never changes, so it is exact to read that page again and leave out what comes before.
MARK = "~"


def _place_of(position: Optional[str]) -> Tuple[str, str]:
    start, _, last = (position or "").partition(MARK)
    return start, last


class SandboxReceivers(_Part):
    """Приёмники песочницы: адреса, которые отвечают на вебхуки по списку."""

    def create(self, *, answers: Sequence[str]) -> api.CreatedSandboxReceiver:
        """answers — чем отвечать по порядку: код, например "500", или "timeout"; последний — на все остальные."""
        return self._transport.post("/v1/sandbox/receivers", _fields(locals()))

    def get(self, id: str) -> api.SandboxReceiver:
        """Что пришло на адрес."""
        return self._transport.get(f"/v1/sandbox/receivers/{_segment(id)}")


class Sandbox(_Part):
    """Песочница: только для тестовых ключей."""

    def __init__(self, transport: _Transport) -> None:
        super().__init__(transport)
        self.receivers = SandboxReceivers(transport)

    def reset(self) -> api.SandboxMessage:
        """Возвращает данные ключа к исходному сценарию."""
        return self._transport.post("/v1/sandbox/reset", repeats="always")

    def trigger(self, name: str) -> api.SandboxTrigger:
        """Вызывает одну ситуацию на складе, например receipt_completed. Ответ называет, что затронуто."""
        return self._transport.post(f"/v1/sandbox/triggers/{_segment(name)}")

    def advance(self, *, hours: int) -> api.SandboxAdvanced:
        """Проигрывает часы работы склада сейчас: от 1 до 168."""
        return self._transport.post("/v1/sandbox/advance", _fields(locals()))


class Sklad:
    """Клиент интерфейса Sklad.

    base_url — адрес сервиса без /v1. timeout — сколько секунд ждать ответа. retries — сколько раз повторять то, что
    повторить можно; rate_limited их не расходует: вызов ждёт, как велит Retry-After, всего до пяти минут. При 0 клиент
    ничего не повторяет и не ждёт. wait, chance и elapsed — пауза, случай и часы; нужны тестам.
    """

    def __init__(self, key: str, base_url: str, **settings: Any) -> None:
        self._transport = _Transport(key, base_url, **settings)
        self.stock = Stock(self._transport)
        self.goods = Goods(self._transport)
        self.orders = Orders(self._transport)
        self.receipts = Receipts(self._transport)
        self.shipments = Shipments(self._transport)
        self.returns = Returns(self._transport)
        self.charges = Charges(self._transport)
        self.acts = Acts(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.events = Events(self._transport)
        self.sandbox = Sandbox(self._transport)

    @staticmethod
    def sandbox_key(base_url: str, **settings: Any) -> str:
        """Новый тестовый ключ со своей песочницей."""
        return _Transport(None, base_url, **settings).post("/v1/sandbox/keys", repeats="always")["key"]

    def me(self) -> api.Me:
        """Кому принадлежит ключ."""
        return self._transport.get("/v1/me")

    def metrics(self, *, from_: Optional[str] = None, to: Optional[str] = None) -> api.Metrics:
        """Показатели за период; без границ — за последние 30 дней."""
        return self._transport.get("/v1/metrics", _fields(locals()))

    def request(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Любой вызов: для тех, у которых ещё нет своего метода. Отвечает телом ответа."""
        repeats = "always" if method == "GET" else "refused"
        return self._transport.send(_Call(method, path, query or {}, body, repeats=repeats)).body


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, Any], secret: Union[str, Sequence[str]], *,
    tolerance_seconds: float = 300, now: Callable[[], float] = time.time,
) -> api.Event:
    """Событие, если подпись верна; иначе SkladError с кодом signature_…: ответьте 401.

    body — тело, каким оно пришло: разобранный и собранный заново JSON — уже другие байты. secret — секрет подписки;
    список — на время смены секрета. tolerance_seconds — на сколько время попытки может отличаться от нашего.
    """
    if not isinstance(body, (bytes, bytearray, str)):
        raise SkladError("body_invalid", "Нужны байты тела, какими они пришли, а не разобранный JSON")
    data = body.encode() if isinstance(body, str) else bytes(body)
    timestamp = _header_of(headers, "X-SVC-Timestamp")
    signature = _header_of(headers, "X-SVC-Signature")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or not re.fullmatch(r"sha256=[0-9a-f]{64}", signature):
        raise SkladError("signature_missing", "Нет подписи или времени попытки")
    # Written so that a tolerance that is no number refuses.
    if not abs(now() - int(timestamp)) <= tolerance_seconds:
        raise SkladError("signature_stale", "Время попытки слишком отличается от нашего: проверьте часы")
    # A setting that is missing must not become an empty key.
    secrets = [each for each in ([secret] if isinstance(secret, str) else secret or []) if each]
    message = timestamp.encode() + b"." + data
    verdicts = [
        hmac.compare_digest("sha256=" + hmac.new(each.encode(), message, hashlib.sha256).hexdigest(), signature)
        for each in secrets
    ]
    if not any(verdicts):
        raise SkladError("signature_mismatch", "Подпись не подходит ни к одному секрету")
    try:
        return json.loads(data.decode())
    except ValueError as error:
        raise SkladError("body_invalid", "Тело подписано, но это не JSON") from error


def _header_of(headers: Mapping[str, Any], name: str) -> str:
    """One header, in whichever case; empty if there is none, or several."""
    found = [value for given, value in headers.items() if given.lower() == name.lower()]
    return str(found[0]) if len(found) == 1 else ""
