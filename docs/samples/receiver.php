<?php
// Приём событий Sklad: PHP 8.1 или новее с pdo_sqlite, без зависимостей.
//   Приём:     WEBHOOK_SECRET=whsec_… INBOX=inbox.sqlite php -S 0.0.0.0:8000 receiver.php
//              (в работе — за nginx и php-fpm)
//   Обработка: INBOX=inbox.sqlite php receiver.php — раз в минуту из cron
declare(strict_types=1);

const MAX_AGE_SECONDS = 300;

// Ящик входящих: событие сначала попадает на диск, потом получает ответ 2xx и лишь затем
// обрабатывается. Повтор того же id ящик не примет.
function open_inbox(): PDO
{
    $inbox = new PDO('sqlite:' . (getenv('INBOX') ?: 'inbox.sqlite'));
    $inbox->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    $inbox->exec('create table if not exists inbox
        (id text primary key, body text not null, done integer not null default 0)');
    return $inbox;
}

// Чего не хватает; null, если подпись верна и время попытки отличается от нашего не больше чем на
// пять минут. Секреты подписок — через запятую; пока их нет, приёмник отвечает только на webhook.ping.
function problem_of(string $body): ?string
{
    $secrets = preg_split('/[\s,]+/', (string) getenv('WEBHOOK_SECRET'), -1, PREG_SPLIT_NO_EMPTY);
    $timestamp = $_SERVER['HTTP_X_SVC_TIMESTAMP'] ?? '';
    $signature = $_SERVER['HTTP_X_SVC_SIGNATURE'] ?? '';
    if ($secrets === []) {
        return 'секрета нет, запустите приёмник с WEBHOOK_SECRET=<secret>';
    }
    if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
        return 'нет X-SVC-Timestamp, это не доставка Sklad';
    }
    $age = abs(time() - (int) $timestamp);
    if ($age > MAX_AGE_SECONDS) {
        return "время попытки отличается на $age с, проверьте часы";
    }
    foreach ($secrets as $secret) {
        $expected = 'sha256=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
        if (hash_equals($expected, $signature)) {
            return null;
        }
    }
    return 'подпись не сошлась, в WEBHOOK_SECRET нет секрета этой подписки';
}

// Ответ на один запрос.
function receive(): int
{
    $body = file_get_contents('php://input'); // байты как пришли: разбирать их до проверки нельзя
    $problem = problem_of($body);
    if ($problem !== null) {
        // Пинг новой подписки подписан секретом, которого здесь ещё нет: ответить, и только.
        $event = $_SERVER['HTTP_X_SVC_EVENT'] ?? 'запрос без X-SVC-Event';
        $status = $event === 'webhook.ping' ? 204 : 401;
        error_log("$event, ответ $status: $problem");
        return $status;
    }
    $event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    $keep = open_inbox()->prepare(
        'insert into inbox (id, body) values (?, ?) on conflict do nothing'
    );
    $keep->execute([$event['id'], $body]);
    return 204;
}

// Здесь ваша работа. Порядок событий не обещан: сверяйтесь с состоянием в самом событии.
function handle(array $event): void
{
    echo $event['type'], ' ', $event['id'], "\n";
}

// Ошибка оставляет событие в ящике до следующего раза.
function work(): void
{
    $inbox = open_inbox();
    $waiting = $inbox->query('select id, body from inbox where done = 0 order by rowid');
    $finish = $inbox->prepare('update inbox set done = 1 where id = ?');
    foreach ($waiting->fetchAll(PDO::FETCH_ASSOC) as $row) {
        try {
            handle(json_decode($row['body'], true, 512, JSON_THROW_ON_ERROR));
            $finish->execute([$row['id']]);
        } catch (Throwable $error) {
            error_log($row['id'] . ': ' . $error->getMessage());
        }
    }
}

if (PHP_SAPI === 'cli') {
    work();
} else {
    try {
        http_response_code(receive());
    } catch (Throwable $error) {
        error_log($error->getMessage());
        http_response_code(500); // событие придёт ещё раз
    }
}
