<?php

declare(strict_types=1);

namespace Sklad;

/**
 * Клиент интерфейса Sklad: остатки, заказы, приёмки, отгрузки, события склада. Без зависимостей, PHP 8.1 и новее с ext-curl.
 *
 *     $sklad = new Sklad('svc_…', 'https://api.example.ru');
 *     foreach ($sklad->orders->all(status: 'NEW') as $order) {
 *         echo $order['external_id'], PHP_EOL;
 *     }
 *
 * Объекты — массивы с теми же именами полей, что в описании интерфейса; аргументы методов названы так же. Ошибки —
 * SkladError.
 */
final class Sklad
{
    public readonly Stock $stock;
    public readonly Goods $goods;
    public readonly Orders $orders;
    public readonly Receipts $receipts;
    public readonly Shipments $shipments;
    public readonly Returns $returns;
    public readonly Charges $charges;
    public readonly Acts $acts;
    public readonly Webhooks $webhooks;
    public readonly Events $events;
    public readonly Sandbox $sandbox;
    private readonly Transport $transport;

    /**
     * $baseUrl — адрес сервиса без /v1. $timeout — сколько секунд ждать ответа. $retries — сколько раз повторять то,
     * что повторить можно; rate_limited их не расходует: вызов ждёт, как велит Retry-After, всего до пяти минут. При 0
     * клиент ничего не повторяет и не ждёт. $wait, $chance и $elapsed — пауза, случай и часы; нужны тестам.
     *
     * @param null|callable(float): void $wait
     * @param null|callable(): float $chance
     * @param null|callable(): float $elapsed
     */
    public function __construct(
        string $key,
        string $baseUrl,
        float $timeout = 30.0,
        int $retries = 4,
        ?callable $wait = null,
        ?callable $chance = null,
        ?callable $elapsed = null,
    ) {
        $transport = new Transport($key, $baseUrl, $timeout, $retries, $wait, $chance, $elapsed);
        $this->transport = $transport;
        $this->stock = new Stock($transport);
        $this->goods = new Goods($transport);
        $this->orders = new Orders($transport);
        $this->receipts = new Receipts($transport);
        $this->shipments = new Shipments($transport);
        $this->returns = new Returns($transport);
        $this->charges = new Charges($transport);
        $this->acts = new Acts($transport);
        $this->webhooks = new Webhooks($transport);
        $this->events = new Events($transport);
        $this->sandbox = new Sandbox($transport);
    }

    /** Новый тестовый ключ со своей песочницей. */
    public static function sandboxKey(string $baseUrl, float $timeout = 30.0, int $retries = 4): string
    {
        $transport = new Transport(null, $baseUrl, $timeout, $retries);
        return $transport->post('/v1/sandbox/keys', repeats: Repeats::Always)['key'];
    }

    /** Кому принадлежит ключ. */
    public function me(): array
    {
        return $this->transport->get('/v1/me');
    }

    /** Показатели за период; без границ — за последние 30 дней. */
    public function metrics(?string $from = null, ?string $to = null): array
    {
        return $this->transport->get('/v1/metrics', get_defined_vars());
    }

    /** Любой вызов: для тех, у которых ещё нет своего метода. Отвечает телом ответа. */
    public function request(string $method, string $path, array $query = [], ?array $body = null): mixed
    {
        $repeats = $method === 'GET' ? Repeats::Always : Repeats::Refused;
        return $this->transport->send(new Call($method, $path, $query, $body, repeats: $repeats))->body;
    }

    /**
     * Событие, если подпись верна; иначе SkladError с кодом signature_…: ответьте 401.
     *
     * $body — тело, каким оно пришло: разобранный и собранный заново JSON — уже другие байты. $headers — имена в любом
     * регистре, как их отдаёт getallheaders(). $secret — секрет подписки; список — на время смены секрета.
     * $toleranceSeconds — на сколько время попытки может отличаться от нашего.
     *
     * @param array<string, string|string[]> $headers
     * @param string|string[] $secret
     * @param null|callable(): float $now
     */
    public static function verifyWebhook(
        string $body,
        array $headers,
        string|array $secret,
        float $toleranceSeconds = 300,
        ?callable $now = null,
    ): array {
        $timestamp = self::headerOf($headers, 'X-SVC-Timestamp');
        $signature = self::headerOf($headers, 'X-SVC-Signature');
        if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || !preg_match('/^sha256=[0-9a-f]{64}$/D', $signature)) {
            throw new SkladError('signature_missing', 'Нет подписи или времени попытки');
        }
        // Written so that a tolerance that is no number refuses.
        if (!(abs(($now ?? fn () => microtime(true))() - (int) $timestamp) <= $toleranceSeconds)) {
            throw new SkladError('signature_stale', 'Время попытки слишком отличается от нашего: проверьте часы');
        }
        // A setting that is missing must not become an empty key.
        $secrets = array_filter((array) $secret, fn ($each) => is_string($each) && $each !== '');
        $isGenuine = false;
        foreach ($secrets as $each) {
            $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $each);
            $isGenuine = hash_equals($expected, $signature) || $isGenuine;
        }
        if (!$isGenuine) {
            throw new SkladError('signature_mismatch', 'Подпись не подходит ни к одному секрету');
        }
        $event = json_decode($body, true);
        if (!is_array($event)) {
            throw new SkladError('body_invalid', 'Тело подписано, но это не JSON');
        }
        return $event;
    }

    /** One header, in whichever case; empty if there is none, or several. */
    private static function headerOf(array $headers, string $name): string
    {
        $found = [];
        foreach ($headers as $given => $value) {
            if (strcasecmp((string) $given, $name) === 0) {
                array_push($found, ...(array) $value);
            }
        }
        return count($found) === 1 ? (string) $found[0] : '';
    }
}

/**
 * Ошибка вызова. Логику стройте на $code: он не меняется, сообщение — для человека.
 *
 * Коды — из описания интерфейса; свои у клиента connection_lost, timeout (ответа нет, $status равен 0),
 * unexpected_answer, signature_missing, signature_stale, signature_mismatch и body_invalid.
 */
final class SkladError extends \RuntimeException
{
    /** @var string */
    public $code = '';

    /**
     * @param int $status Код HTTP; 0, если ответа не было.
     * @param ?string $requestId Назовите его, если обратитесь за помощью.
     * @param ?int $retryAfterSeconds Через сколько секунд повторить: из заголовка Retry-After.
     */
    public function __construct(
        string $code,
        string $message,
        public readonly int $status = 0,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfterSeconds = null,
    ) {
        parent::__construct($message);
        $this->code = $code;
    }
}

/** Остатки на складе. */
final class Stock extends Part
{
    public function list(
        ?string $barcode = null, ?string $search = null, ?string $selection = null, ?int $limit = null,
        ?string $cursor = null, ?string $words = null,
    ): array {
        return $this->transport->get('/v1/stock', get_defined_vars());
    }

    public function get(string $barcode): array
    {
        return $this->transport->get('/v1/stock/' . segment($barcode));
    }

    /** Почему единицы товара под вопросом и как давно. */
    public function inQuestion(string $barcode): array
    {
        return $this->transport->get('/v1/stock/' . segment($barcode) . '/in-question');
    }

    /**
     * Первая страница, если остатки изменились после $since; null, если нет. Без $since — всегда страница. В $since
     * передайте etag прошлого ответа с теми же фильтрами.
     */
    public function changes(
        ?string $since = null, ?string $barcode = null, ?string $search = null, ?string $selection = null,
        ?int $limit = null, ?string $cursor = null, ?string $words = null,
    ): ?array {
        $query = array_diff_key(get_defined_vars(), ['since' => 0]);
        $headers = $since === null ? [] : ["If-None-Match: $since"];
        $call = new Call('GET', '/v1/stock', $query, headers: $headers, repeats: Repeats::Always);
        $answer = $this->transport->send($call);
        return $answer->status === 304 ? null : $answer->body + ['etag' => $answer->headers['etag'] ?? ''];
    }

    /** Все товары: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $barcode = null, ?string $search = null, ?string $selection = null, int $limit = 1000,
        ?string $cursor = null, ?string $words = null,
    ): \Generator {
        return $this->items('/v1/stock', get_defined_vars());
    }

    /** Остатки на прошлый момент $at, по журналу движений. */
    public function history(
        string $at, ?string $barcode = null, ?string $search = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/stock-history', get_defined_vars());
    }

    /** Все товары на прошлый момент: страницы запрашиваются по мере чтения. */
    public function allHistory(
        string $at, ?string $barcode = null, ?string $search = null, int $limit = 1000, ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/stock-history', get_defined_vars());
    }

    /** Партии по сроку годности, сначала те, чей срок ближе. */
    public function lots(
        ?string $barcode = null, ?string $state = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/lots', get_defined_vars());
    }

    /** Все партии: страницы запрашиваются по мере чтения. */
    public function allLots(
        ?string $barcode = null, ?string $state = null, int $limit = 1000, ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/lots', get_defined_vars());
    }
}

/** Заказы покупателей. */
final class Orders extends Part
{
    public function list(
        ?string $marketplace = null, ?string $status = null, ?string $shipment_id = null, ?string $barcode = null,
        ?string $external_id = null, ?string $created_from = null, ?string $created_to = null, ?int $limit = null,
        ?string $cursor = null, ?string $words = null,
    ): array {
        return $this->transport->get('/v1/orders', get_defined_vars());
    }

    public function get(string $id): array
    {
        return $this->transport->get('/v1/orders/' . segment($id));
    }

    /** Состав заказа и история его статусов. */
    public function details(string $id): array
    {
        return $this->transport->get('/v1/orders/' . segment($id) . '/details');
    }

    /** Все заказы под фильтром: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $marketplace = null, ?string $status = null, ?string $shipment_id = null, ?string $barcode = null,
        ?string $external_id = null, ?string $created_from = null, ?string $created_to = null, int $limit = 1000,
        ?string $cursor = null, ?string $words = null,
    ): \Generator {
        return $this->items('/v1/orders', get_defined_vars());
    }
}

/** Приёмки и заявки на них. */
final class Receipts extends Part
{
    private const DAY_SECONDS = 24 * 60 * 60;

    /** Приёмки без состава. */
    public function list(
        ?string $status = null, ?string $external_ref = null, ?string $created_from = null,
        ?string $created_to = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/receipts', get_defined_vars());
    }

    /** Приёмка вместе с составом. */
    public function get(string $id): array
    {
        return $this->transport->get('/v1/receipts/' . segment($id));
    }

    /** Все приёмки под фильтром: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $status = null, ?string $external_ref = null, ?string $created_from = null,
        ?string $created_to = null, int $limit = 200, ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/receipts', get_defined_vars());
    }

    /**
     * Создаёт заявку на приёмку; повторяется сам.
     *
     * Если есть $external_ref и ответ потерялся, клиент сначала ищет заявку с этим номером: подтверждённую повтор создал
     * бы второй раз. Если вызов всё же закончился ошибкой без ответа, ищите её по номеру и вы, прежде чем создавать
     * снова. Без $external_ref повтор узнаёт сервис, по Idempotency-Key: клиент придумывает его сам; задайте
     * $idempotencyKey, если можете повторить вызов после перезапуска программы.
     *
     * @param list<array{barcode: string, qty: int, honest_mark: bool, name?: string, article?: string}> $items
     */
    public function create(
        array $items, ?string $external_ref = null, ?string $cabinet_id = null, ?string $comment = null,
        ?string $planned_date = null, ?string $idempotencyKey = null,
    ): array {
        $draft = array_diff_key(get_defined_vars(), ['idempotencyKey' => 0]);
        $idempotencyKey ??= bin2hex(random_bytes(16));
        if (preg_match('/^[\x21-\x7e]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey: нужны от 1 до 255 видимых знаков ASCII');
        }
        $started = ($this->transport->elapsed)();
        $mayExist = false;
        $beforeRepeat = function (SkladError $error) use (&$mayExist, $external_ref, $started): ?Answer {
            $mayExist = $mayExist || isOutcomeUnknown($error);
            if ($external_ref === null || !$mayExist) {
                return null;
            }
            return $this->lookUp($external_ref, ($this->transport->elapsed)() - $started);
        };
        $call = new Call(
            'POST',
            '/v1/receipts',
            body: $draft,
            headers: ["Idempotency-Key: $idempotencyKey"],
            repeats: Repeats::Always,
            beforeRepeat: $beforeRepeat,
        );
        return $this->transport->send($call)->body;
    }

    /**
     * The newest receipt of this reference, unless it is a day older than the call: a number may be used again, and a
     * receipt of last year is no answer to a request of today. The age is by the service's own clock.
     */
    private function lookUp(string $external_ref, float $calledAgo): ?Answer
    {
        $query = ['external_ref' => $external_ref, 'limit' => 200];
        $answer = $this->transport->send(new Call('GET', '/v1/receipts', $query, repeats: Repeats::Always));
        $now = strtotime($answer->headers['date'] ?? '');
        $oldest = $now === false ? -INF : $now - $calledAgo - self::DAY_SECONDS;
        $found = null;
        $newest = $oldest;
        foreach ($answer->body['items'] as $receipt) {
            $created = (float) (new \DateTimeImmutable($receipt['created_at']))->format('U.u');
            if (($receipt['external_ref'] ?? null) === $external_ref && $created >= $newest) {
                [$found, $newest] = [$receipt['id'], $created];
            }
        }
        if ($found === null) {
            return null;
        }
        return $this->transport->send(new Call('GET', '/v1/receipts/' . segment($found), repeats: Repeats::Always));
    }
}

/** Отгрузки маркетплейсам. */
final class Shipments extends Part
{
    public function list(
        ?string $marketplace = null, ?string $status = null, ?string $external_id = null,
        ?string $created_from = null, ?string $created_to = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/shipments', get_defined_vars());
    }

    /** Отгрузка вместе с заказами. */
    public function get(string $id): array
    {
        return $this->transport->get('/v1/shipments/' . segment($id));
    }

    /** Все отгрузки под фильтром: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $marketplace = null, ?string $status = null, ?string $external_id = null,
        ?string $created_from = null, ?string $created_to = null, int $limit = 200, ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/shipments', get_defined_vars());
    }
}

/** Возвраты, которые принял склад. */
final class Returns extends Part
{
    /** Возвраты без состава. */
    public function list(
        ?string $status = null, ?string $created_from = null, ?string $created_to = null, ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/returns', get_defined_vars());
    }

    /** Возврат вместе с составом. */
    public function get(string $id): array
    {
        return $this->transport->get('/v1/returns/' . segment($id));
    }

    /** Все возвраты под фильтром: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $status = null, ?string $created_from = null, ?string $created_to = null, int $limit = 200,
        ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/returns', get_defined_vars());
    }
}

/** Что склад начислил и за что. Деньги — строки: рубли и копейки. */
final class Charges extends Part
{
    public function list(
        ?string $from = null, ?string $to = null, ?string $period = null, ?string $service = null,
        ?string $source = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/charges', get_defined_vars());
    }

    /** Суммы по услугам и дням. */
    public function summary(
        ?string $from = null, ?string $to = null, ?string $period = null, ?string $service = null,
        ?string $source = null,
    ): array {
        return $this->transport->get('/v1/charges/summary', get_defined_vars());
    }

    /** Все начисления под фильтром: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $from = null, ?string $to = null, ?string $period = null, ?string $service = null,
        ?string $source = null, int $limit = 1000, ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/charges', get_defined_vars());
    }
}

/** Товары и наборы: из чего набор и сколько наборов выйдет из частей. */
final class Goods extends Part
{
    public function list(
        ?string $barcode = null,
        ?string $is_set = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->transport->get('/v1/goods', get_defined_vars());
    }

    /** Все товары по возрастанию штрихкода: страницы запрашиваются по мере чтения. */
    public function all(
        ?string $barcode = null,
        ?string $is_set = null,
        int $limit = 1000,
        ?string $cursor = null,
    ): \Generator {
        return $this->items('/v1/goods', get_defined_vars());
    }
}

/** Акты закрытых месяцев. */
final class Acts extends Part
{
    private const MEDIA = ['pdf' => 'application/pdf', 'html' => 'text/html', '1c' => 'text/csv'];

    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->transport->get('/v1/acts', get_defined_vars());
    }

    public function get(string $id): array
    {
        return $this->transport->get('/v1/acts/' . segment($id));
    }

    /** Акт файлом: PDF, страница или строки для 1С. Отвечает байтами. */
    public function file(string $id, ?string $format = null): string
    {
        $path = '/v1/acts/' . segment($id) . '/file';
        $media = self::MEDIA[$format ?? 'pdf'];
        $call = new Call('GET', $path, compact('format'), repeats: Repeats::Always, media: $media);
        return $this->transport->send($call)->body;
    }

    /** Все акты, последний первым: страницы запрашиваются по мере чтения. */
    public function all(int $limit = 200, ?string $cursor = null): \Generator
    {
        return $this->items('/v1/acts', get_defined_vars());
    }
}

/** Подписки на события. */
final class Webhooks extends Part
{
    public function list(): array
    {
        return $this->transport->get('/v1/webhooks');
    }

    /**
     * Секрет подписи показан один раз, в ответе.
     *
     * @param string[] $events
     */
    public function create(string $url, array $events, ?string $description = null): array
    {
        return $this->transport->post('/v1/webhooks', get_defined_vars());
    }

    public function get(string $id): array
    {
        return $this->transport->get(self::path($id));
    }

    /** Журнал доставок удаляется вместе с подпиской. */
    public function delete(string $id): void
    {
        $mayBeGone = false;
        $beforeRepeat = function (SkladError $error) use (&$mayBeGone): ?Answer {
            $mayBeGone = $mayBeGone || isOutcomeUnknown($error);
            return null;
        };
        try {
            $call = new Call('DELETE', self::path($id), repeats: Repeats::Always, beforeRepeat: $beforeRepeat);
            $this->transport->send($call);
        } catch (SkladError $error) {
            if (!($mayBeGone && $error->code === 'not_found')) {
                throw $error;
            }
        }
    }

    /** Ставит в очередь webhook.ping; итог виден в журнале доставок. */
    public function ping(string $id): array
    {
        return $this->transport->post(self::path($id) . '/ping');
    }

    /** Журнал доставок, новые первыми. */
    public function deliveries(
        string $id, ?string $status = null, ?int $limit = null, ?string $cursor = null,
    ): array {
        return $this->transport->get(self::path($id) . '/deliveries', compact('status', 'limit', 'cursor'));
    }

    /** Весь журнал: страницы запрашиваются по мере чтения. */
    public function allDeliveries(
        string $id, ?string $status = null, int $limit = 200, ?string $cursor = null,
    ): \Generator {
        return $this->items(self::path($id) . '/deliveries', compact('status', 'limit', 'cursor'));
    }

    /** Доставка с событием, как оно отправлено. Годится и значение X-SVC-Delivery. */
    public function delivery(string $id, string $delivery_id): array
    {
        return $this->transport->get(self::path($id, $delivery_id));
    }

    /** Попытки одной доставки, по порядку. */
    public function attempts(string $id, string $delivery_id): array
    {
        return $this->transport->get(self::path($id, $delivery_id) . '/attempts');
    }

    /** Отправляет событие доставки ещё раз, новой доставкой. */
    public function resendDelivery(string $id, string $delivery_id): array
    {
        return $this->transport->post(self::path($id, $delivery_id) . '/resend');
    }

    /** Отправляет ещё раз события периода. */
    public function resend(string $id, string $since, ?string $until = null, ?string $status = null): array
    {
        return $this->transport->post(self::path($id) . '/resend', compact('since', 'until', 'status'));
    }

    private static function path(string $id, ?string $delivery_id = null): string
    {
        $path = '/v1/webhooks/' . segment($id);
        return $delivery_id === null ? $path : "$path/deliveries/" . segment($delivery_id);
    }
}

/** Лента событий. */
final class Events extends Part
{
    /** The service holds the answer no longer. */
    private const WAIT_MAX = 25;

    /**
     * The service gives a position at the end of a page. A position within a page is the page's own position and the
     * last event that was seen. The order never changes, so it is exact to read that page again and leave out what
     * comes before.
     */
    private const MARK = '~';

    /** @param null|string|string[] $types */
    public function list(
        ?string $after = null, null|string|array $types = null, ?int $limit = null, ?int $wait = null,
    ): array {
        return $this->read($after, $types, $limit, $wait);
    }

    /**
     * Все события после $after и дальше, по мере того как они происходят; конца нет.
     *
     * Ключ каждого — позиция, после которой читать следующее: сохраните её вместе с обработанным событием. Типы событий
     * должны быть теми же. Обрыв связи, перезапуск и перегрузка сервиса ленту не прерывают: она продолжается сама, и ни
     * одно событие не теряется и не повторяется. Ошибка bad_cursor значит, что позиция устарела: начните без $after и
     * сверьте списки.
     *
     * @param null|string|string[] $types
     */
    public function stream(
        ?string $after = null, null|string|array $types = null, ?int $limit = null, int $wait = self::WAIT_MAX,
    ): \Generator {
        while (true) {
            $page = $this->read($after, $types, $limit, $wait, INF);
            [$start] = self::placeOf($after);
            $last = count($page['items']) - 1;
            foreach ($page['items'] as $index => $event) {
                yield $index === $last ? $page['next_after'] : $start . self::MARK . $event['id'] => $event;
            }
            $after = $page['next_after'];
        }
    }

    private function read(
        ?string $after, null|string|array $types, ?int $limit, ?int $wait, ?float $retries = null,
    ): array {
        [$start, $last] = self::placeOf($after);
        $query = ['after' => $start === '' ? null : $start, 'types' => is_array($types) ? implode(',', $types) : $types];
        $query += compact('limit', 'wait');
        $held = min($wait ?? 0, self::WAIT_MAX);
        $call = new Call('GET', '/v1/events', $query, repeats: Repeats::Always, retries: $retries, held: $held);
        $page = $this->transport->send($call)->body;
        $known = array_search($last, array_column($page['items'], 'id'), true);
        return ['items' => array_slice($page['items'], $known === false ? 0 : $known + 1)] + $page;
    }

    /** @return array{string, string} */
    private static function placeOf(?string $position): array
    {
        return explode(self::MARK, $position ?? '', 2) + ['', ''];
    }
}

/** Песочница: только для тестовых ключей. */
final class Sandbox extends Part
{
    public readonly SandboxReceivers $receivers;

    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
        $this->receivers = new SandboxReceivers($transport);
    }

    /** Возвращает данные ключа к исходному сценарию. */
    public function reset(): array
    {
        return $this->transport->post('/v1/sandbox/reset', repeats: Repeats::Always);
    }

    /** Вызывает одну ситуацию на складе, например receipt_completed. Ответ называет, что затронуто. */
    public function trigger(string $name): array
    {
        return $this->transport->post('/v1/sandbox/triggers/' . segment($name));
    }

    /** Проигрывает часы работы склада сейчас: от 1 до 168. */
    public function advance(int $hours): array
    {
        return $this->transport->post('/v1/sandbox/advance', get_defined_vars());
    }
}

/** Приёмники песочницы: адреса, которые отвечают на вебхуки по списку. */
final class SandboxReceivers extends Part
{
    /**
     * $answers — чем отвечать по порядку: код, например '500', или 'timeout'; последний — на все остальные.
     *
     * @param string[] $answers
     */
    public function create(array $answers): array
    {
        return $this->transport->post('/v1/sandbox/receivers', get_defined_vars());
    }

    /** Что пришло на адрес. */
    public function get(string $id): array
    {
        return $this->transport->get('/v1/sandbox/receivers/' . segment($id));
    }
}

/** @internal */
abstract class Part
{
    public function __construct(protected readonly Transport $transport)
    {
    }

    /** Items of all pages, one page in memory at a time. */
    protected function items(string $path, array $query): \Generator
    {
        do {
            $page = $this->transport->get($path, $query);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $query['cursor'] = $page['next_cursor'];
        } while ($page['next_cursor'] !== null);
    }
}

/**
 * Which failures a call may be repeated after. Always: once more does no harm. Refused: only where the service has surely
 * done nothing.
 *
 * @internal
 */
enum Repeats
{
    case Always;
    case Refused;
}

/** @internal */
final class Call
{
    /**
     * @param string[] $headers
     * @param ?float $retries Overrides the client's.
     * @param float $held How many seconds the service itself may hold the answer, added to the timeout.
     * @param ?\Closure $beforeRepeat Asked after the pause and before a repeat; an answer ends the call.
     * @param ?string $media What the answer has to be, where it is a file: its bytes are the body.
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public readonly ?array $body = null,
        public readonly array $headers = [],
        public readonly Repeats $repeats = Repeats::Refused,
        public readonly ?float $retries = null,
        public readonly float $held = 0,
        public readonly ?\Closure $beforeRepeat = null,
        public readonly ?string $media = null,
    ) {
    }
}

/** @internal */
final class Answer
{
    /** @param array<string, string> $headers By their names in lower case. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly mixed $body,
    ) {
    }
}

/**
 * Sends calls, and repeats what failed and may be repeated.
 *
 * @internal
 */
final class Transport
{
    private const VERSION = '1.1.0';
    /** How long one call waits for the rate, in all. */
    private const RATE_WAIT_MAX = 300.0;
    private const RATE_JITTER = 0.5;
    private const PAUSE_BASE = 0.5;
    private const PAUSE_MAX = 30.0;

    public readonly \Closure $elapsed;
    private readonly \Closure $wait;
    private readonly \Closure $chance;
    private readonly string $baseUrl;

    public function __construct(
        #[\SensitiveParameter] private readonly ?string $key,
        string $baseUrl,
        private readonly float $timeout,
        private readonly int $retries,
        ?callable $wait = null,
        ?callable $chance = null,
        ?callable $elapsed = null,
    ) {
        if ($key !== null && !preg_match('/^[\x21-\x7e]+$/D', $key)) {
            throw new \InvalidArgumentException('key: это не ключ; скопируйте его целиком, без пробелов и многоточия');
        }
        $this->baseUrl = self::checkedBaseUrl($baseUrl);
        $this->wait = ($wait ?? fn (float $seconds) => usleep((int) ($seconds * 1e6)))(...);
        $this->chance = ($chance ?? fn () => mt_rand() / (mt_getrandmax() + 1))(...);
        $this->elapsed = ($elapsed ?? fn () => hrtime(true) / 1e9)(...);
    }

    public function get(string $path, array $query = []): mixed
    {
        return $this->send(new Call('GET', $path, $query, repeats: Repeats::Always))->body;
    }

    public function post(string $path, ?array $body = null, Repeats $repeats = Repeats::Refused): mixed
    {
        return $this->send(new Call('POST', $path, body: $body, repeats: $repeats))->body;
    }

    public function send(Call $call): Answer
    {
        $retries = $call->retries ?? $this->retries;
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->pass($call, $retries);
            } catch (SkladError $error) {
                if ($attempt >= $retries || $error->code === 'rate_limited' || !self::mayRepeat($call, $error)) {
                    throw $error;
                }
                ($this->wait)($this->pause($attempt, $error));
                $answer = $call->beforeRepeat === null ? null : ($call->beforeRepeat)($error);
                if ($answer !== null) {
                    return $answer;
                }
            }
        }
    }

    /** Waits for the rate, which uses up no repeat. */
    private function pass(Call $call, float $retries): Answer
    {
        $started = ($this->elapsed)();
        while (true) {
            try {
                return $this->exchange($call);
            } catch (SkladError $error) {
                if ($error->code !== 'rate_limited' || $retries === 0.0) {
                    throw $error;
                }
                // Other programs may have the same key: chance keeps them from coming back together.
                $pause = ($error->retryAfterSeconds ?? 1) + ($this->chance)() * self::RATE_JITTER;
                if ($retries !== INF && ($this->elapsed)() - $started + $pause > self::RATE_WAIT_MAX) {
                    throw $error;
                }
                ($this->wait)($pause);
            }
        }
    }

    private function pause(int $attempt, SkladError $error): float
    {
        $growing = min(self::PAUSE_MAX, self::PAUSE_BASE * 2 ** min($attempt, 30));
        return ($error->retryAfterSeconds ?? 0) + ($this->chance)() * $growing;
    }

    /**
     * Each request has a connection of its own. On one that was used before, curl by itself sends a request once more that got no
     * answer, and nobody would look for the receipt first.
     */
    private function exchange(Call $call): Answer
    {
        $query = http_build_query(self::given($call->query), '', '&', PHP_QUERY_RFC3986);
        $headers = $call->headers;
        if ($this->key !== null) {
            $headers[] = "Authorization: Bearer $this->key";
        }
        $options = [];
        if ($call->body !== null) {
            $headers[] = 'Content-Type: application/json';
            $options[CURLOPT_POSTFIELDS] = json_encode((object) self::given($call->body), JSON_THROW_ON_ERROR);
        } elseif ($call->method === 'POST') {
            $options[CURLOPT_POSTFIELDS] = '';
            $headers[] = 'Content-Type:';
        }
        $received = [];
        $timeout = $this->timeout + $call->held;
        $handle = curl_init($this->baseUrl . $call->path . ($query === '' ? '' : "?$query"));
        curl_setopt_array($handle, $options + [
            CURLOPT_CUSTOMREQUEST => $call->method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_USERAGENT => 'sklad-php/' . self::VERSION,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => function ($_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        $text = curl_exec($handle);
        if ($text === false) {
            throw $this->failure(curl_errno($handle), $timeout);
        }
        return self::answerOf(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $text, $call->media);
    }

    private function failure(int $reason, float $timeout): SkladError
    {
        if ($reason === CURLE_OPERATION_TIMEDOUT) {
            return new SkladError('timeout', "Сервис не ответил за $timeout с");
        }
        ['scheme' => $scheme, 'host' => $host] = $parts = parse_url($this->baseUrl);
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        $message = "Соединение с $scheme://$host$port прервано или не установлено: " . curl_strerror($reason);
        return new SkladError('connection_lost', $message);
    }

    private static function answerOf(int $status, array $headers, string $text, ?string $media): Answer
    {
        $isFile = $media !== null && $status >= 200 && $status < 300;
        if ($isFile && str_starts_with($headers['content-type'] ?? '', $media)) {
            return new Answer($status, $headers, $text);
        }
        $body = $text === '' ? null : json_decode($text, true);
        $isFine = !$isFile && (($status >= 200 && $status < 300) || $status === 304);
        if ($isFine && ($text === '' || $body !== null)) {
            return new Answer($status, $headers, $body);
        }
        $retryAfter = $headers['retry-after'] ?? '';
        $seconds = preg_match('/^[0-9]{1,9}$/D', $retryAfter) ? (int) $retryAfter : null;
        $error = is_array($body) ? $body['error'] ?? null : null;
        $requestId = $error['request_id'] ?? $headers['x-request-id'] ?? null;
        if ($status < 400 || !is_string($error['code'] ?? null)) {
            throw new SkladError('unexpected_answer', "Непонятный ответ: HTTP $status", $status, $requestId, $seconds);
        }
        throw new SkladError($error['code'], (string) ($error['message'] ?? ''), $status, $requestId, $seconds);
    }

    private static function mayRepeat(Call $call, SkladError $error): bool
    {
        // Under these the service has done nothing.
        $isRefusal = in_array($error->code, ['rate_limited', 'warehouse_unavailable', 'webhooks_unavailable'], true);
        return match ($call->repeats) {
            Repeats::Always => $isRefusal || isOutcomeUnknown($error),
            Repeats::Refused => $isRefusal,
        };
    }

    private static function checkedBaseUrl(string $given): string
    {
        if (!preg_match('~^https?://[^/]~i', $given) || parse_url($given, PHP_URL_HOST) === null) {
            $message = "baseUrl: \"$given\" — не адрес, который начинается с https:// или http://";
            throw new \InvalidArgumentException($message);
        }
        $baseUrl = rtrim($given, '/');
        if (str_ends_with($baseUrl, '/v1')) {
            throw new \InvalidArgumentException("baseUrl: \"$given\" — уберите /v1, клиент добавляет его сам");
        }
        return $baseUrl;
    }

    private static function given(array $fields): array
    {
        return array_filter($fields, fn ($value) => $value !== null);
    }
}

/**
 * Whether the service may have done the work although its answer did not come.
 *
 * @internal
 */
function isOutcomeUnknown(SkladError $error): bool
{
    return in_array($error->code, ['internal', 'connection_lost', 'timeout'], true)
        || ($error->code === 'unexpected_answer' && $error->status >= 500);
}

/**
 * A part of a path.
 *
 * @internal
 */
function segment(string $id): string
{
    if (in_array($id, ['', '.', '..'], true)) {
        throw new \InvalidArgumentException("\"$id\" — не идентификатор");
    }
    return rawurlencode($id);
}
