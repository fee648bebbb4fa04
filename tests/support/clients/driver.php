<?php

/** Makes the calls that a test writes to its input, one JSON object a line, with the PHP client, and prints what comes of each. */

declare(strict_types=1);

require $argv[1];

use Sklad\Sklad;
use Sklad\SkladError;

function outcomeOf(array $call): array
{
    $pauses = [];
    $timing = [
        'wait' => function (float $seconds) use (&$pauses): void {
            $pauses[] = $seconds;
        },
        'chance' => fn () => 0.5,
        'elapsed' => function () use (&$pauses): float {
            return (float) array_sum($pauses);
        },
    ];
    try {
        $outcome = ['result' => isset($call['verify']) ? verify($call['verify']) : made($call, $timing)];
    } catch (SkladError $error) {
        $outcome = ['error' => [
            'code' => $error->code,
            'status' => $error->status,
            'message' => $error->getMessage(),
            'requestId' => $error->requestId,
            'retryAfterSeconds' => $error->retryAfterSeconds,
        ]];
    } catch (\InvalidArgumentException | \Error $error) {
        $outcome = ['error' => ['code' => 'argument', 'message' => $error->getMessage()]];
    }
    return $outcome + ['pausesMs' => array_map(fn (float $pause) => (int) round($pause * 1000), $pauses)];
}

function made(array $call, array $timing): mixed
{
    $settings = ['timeout' => ($call['timeoutMs'] ?? 30_000) / 1000, 'retries' => $call['retries'] ?? 4];
    if ($call['method'] === 'sandboxKey') {
        return Sklad::sandboxKey($call['baseUrl'], ...$settings);
    }
    $part = new Sklad($call['key'], $call['baseUrl'], ...$settings, ...$timing);
    $names = explode('.', $call['method']);
    $method = array_pop($names);
    foreach ($names as $name) {
        $part = $part->$name;
    }
    $answer = $part->$method(...($call['arguments'] ?? []), ...($call['fields'] ?? []), ...($call['options'] ?? []));
    if (is_string($answer)) {
        return ['begins' => bin2hex(substr($answer, 0, 3)), 'bytes' => strlen($answer)];
    }
    if (!$answer instanceof \Generator) {
        return $answer;
    }
    $taken = [];
    foreach ($answer as $position => $item) {
        $taken[] = is_string($position) ? [$item, $position] : $item;
        if (count($taken) === ($call['take'] ?? null)) {
            break;
        }
    }
    return $taken;
}

function verify(array $given): array
{
    $now = fn () => (float) $given['now'];
    return Sklad::verifyWebhook(
        $given['body'],
        $given['headers'],
        $given['secret'],
        $given['toleranceSeconds'] ?? 300,
        $now,
    );
}

while (($line = fgets(STDIN)) !== false) {
    echo json_encode(outcomeOf(json_decode($line, true)), JSON_THROW_ON_ERROR), "\n";
}
