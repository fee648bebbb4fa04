<?php
// Чтение ленты событий Sklad: PHP 8.1 или новее с curl и pdo_sqlite, без зависимостей.
//   SKLAD_URL=https://api.example.ru SKLAD_KEY=svc_… INBOX=inbox.sqlite php feed.php
// Читает то, что есть, и заканчивает: раз в минуту из cron. Второй запуск рядом с первым ничего не делает.
declare(strict_types=1);

final class Refused extends RuntimeException
{
    public function __construct(public readonly string $errorCode, int $status, string $message)
    {
        parent::__construct("$status $errorCode: $message");
    }
}

function setting(string $name, string $default = ''): string
{
    $value = getenv($name) ?: $default;
    if ($value === '') {
        throw new RuntimeException("Задайте $name");
    }
    return $value;
}

// События и позиция ленты лежат в одной базе: они сохраняются одной транзакцией.
function open_inbox(string $path): PDO
{
    $inbox = new PDO('sqlite:' . $path);
    $inbox->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    $inbox->exec('create table if not exists inbox
        (id text primary key, body text not null, done integer not null default 0)');
    $inbox->exec('create table if not exists feed (one integer primary key, after text not null)');
    return $inbox;
}

// Одна страница ленты: items, next_after, has_more.
function read_page(?string $after): array
{
    $query = http_build_query(['limit' => 100] + ($after === null ? [] : ['after' => $after]));
    $request = curl_init(rtrim(setting('SKLAD_URL'), '/') . '/v1/events?' . $query);
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . setting('SKLAD_KEY')],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_CONNECTTIMEOUT => 10,
        CURLOPT_TIMEOUT => 30,
    ]);
    $text = curl_exec($request);
    if ($text === false) {
        throw new RuntimeException('Нет связи: ' . curl_error($request));
    }
    $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
    $answer = json_decode($text, true);
    if ($status !== 200 || !is_array($answer)) {
        $error = $answer['error'] ?? [];
        throw new Refused($error['code'] ?? 'unexpected_answer', $status, $error['message'] ?? '');
    }
    return $answer;
}

// Сохраняет страницу вместе с позицией; отвечает, есть ли дальше ещё.
function take_page(PDO $inbox): bool
{
    $saved = $inbox->query('select after from feed')->fetchColumn();
    $after = $saved === false ? null : (string) $saved;
    try {
        $page = read_page($after);
    } catch (Refused $error) {
        if ($error->errorCode !== 'bad_cursor' || $after === null) {
            throw $error;
        }
        // Позиция устарела: начать сначала. Знакомые события ящик не примет, а то, что случилось
        // за пропущенное время, сверьте списками заказов, приёмок и отгрузок.
        error_log($error->getMessage());
        $inbox->exec('delete from feed');
        return true;
    }
    $inbox->beginTransaction();
    $keep = $inbox->prepare('insert into inbox (id, body) values (?, ?) on conflict do nothing');
    foreach ($page['items'] as $event) {
        $keep->execute([$event['id'], json_encode($event, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR)]);
    }
    $inbox->prepare('replace into feed (one, after) values (1, ?)')->execute([$page['next_after']]);
    $inbox->commit();
    return $page['has_more'];
}

// Здесь ваша работа.
function handle(array $event): void
{
    echo $event['type'], ' ', $event['id'], "\n";
}

// Ошибка оставляет событие в ящике до следующего раза.
function work(PDO $inbox): void
{
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

$path = setting('INBOX', 'inbox.sqlite');
$lock = fopen($path . '.lock', 'c');
if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
    exit(0);
}
$inbox = open_inbox($path);
try {
    do {
        $hasMore = take_page($inbox);
        work($inbox);
    } while ($hasMore);
} catch (RuntimeException $error) {
    // Обрыв связи, перегрузка и сбой сервиса пройдут к следующему запуску.
    error_log($error->getMessage());
    exit(1);
}
