"""Приём событий Sklad: Python 3.10 или новее, только стандартная библиотека.

WEBHOOK_SECRET=whsec_… PORT=8000 INBOX=inbox.sqlite python3 receiver.py
"""

import errno
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Секреты подписок через запятую; пока их нет, приёмник отвечает только на webhook.ping.
SECRETS = os.environ.get("WEBHOOK_SECRET", "").replace(",", " ").split()
INBOX = os.environ.get("INBOX", "inbox.sqlite")
MAX_AGE_SECONDS = 300
MAX_BYTES = 10 * 1024 * 1024
arrived = threading.Event()


def open_inbox() -> sqlite3.Connection:
    """Ящик входящих: событие сначала попадает на диск, потом получает ответ 2xx
    и лишь затем обрабатывается. Повтор того же id ящик не примет."""
    inbox = sqlite3.connect(INBOX, isolation_level=None)
    inbox.execute(
        "create table if not exists inbox"
        " (id text primary key, body text not null, done integer not null default 0)"
    )
    return inbox


def problem_of(headers, body: bytes) -> str | None:
    """Чего не хватает; None, если подпись верна и время попытки отличается от нашего
    не больше чем на пять минут."""
    if not SECRETS:
        return "секрета нет, запустите приёмник с WEBHOOK_SECRET=<secret>"
    timestamp = headers.get("X-SVC-Timestamp", "")
    signature = headers.get("X-SVC-Signature", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return "нет X-SVC-Timestamp, это не доставка Sklad"
    age = abs(time.time() - int(timestamp))
    if age > MAX_AGE_SECONDS:
        return f"время попытки отличается на {age:.0f} с, проверьте часы"
    message = timestamp.encode() + b"." + body
    for secret in SECRETS:
        expected = "sha256=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
        if hmac.compare_digest(expected.encode(), signature.encode()):
            return None
    return "подпись не сошлась, в WEBHOOK_SECRET нет секрета этой подписки"


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length", "-1"))
            if not 0 <= length <= MAX_BYTES:
                return self.answer(413)
            # Байты как пришли: разбирать их до проверки нельзя.
            body = self.rfile.read(length)
            problem = problem_of(self.headers, body)
            if problem:
                # Пинг новой подписки подписан секретом, которого здесь ещё нет: ответить, и только.
                event = " ".join(self.headers.get("X-SVC-Event", "запрос без X-SVC-Event").split())
                status = 204 if event == "webhook.ping" else 401
                print(f"{event}, ответ {status}: {problem}", file=sys.stderr)
                return self.answer(status)
            inbox = open_inbox()
            inbox.execute(
                "insert into inbox (id, body) values (?, ?) on conflict do nothing",
                (json.loads(body)["id"], body.decode()),
            )
            inbox.close()
        except Exception as error:
            print(error, file=sys.stderr)
            return self.answer(500)  # событие придёт ещё раз
        self.answer(204)
        arrived.set()

    def answer(self, status: int):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


def handle(event: dict) -> None:
    """Здесь ваша работа. Порядок событий не обещан: сверяйтесь с состоянием в самом событии."""
    print(event["type"], event["id"], flush=True)


def work() -> None:
    """Ошибка оставляет событие в ящике до следующего раза."""
    inbox = open_inbox()
    while True:
        waiting = inbox.execute(
            "select id, body from inbox where done = 0 order by rowid limit 100"
        ).fetchall()
        for event_id, body in waiting:
            try:
                handle(json.loads(body))
                inbox.execute("update inbox set done = 1 where id = ?", (event_id,))
            except Exception as error:
                print(f"{event_id}: {error}", file=sys.stderr)
        arrived.wait(10)
        arrived.clear()


def listen() -> ThreadingHTTPServer:
    port = os.environ.get("PORT", "8000")
    try:
        return ThreadingHTTPServer(("", int(port)), Receiver)
    except (OSError, OverflowError, ValueError) as error:
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            error = "занят, возможно, приёмник уже запущен: задайте другой PORT"
        raise SystemExit(f"Порт {port}: {error}")


if __name__ == "__main__":
    server = listen()
    threading.Thread(target=work, daemon=True).start()
    print(f"Жду события на http://localhost:{server.server_port}/sklad", flush=True)
    if not SECRETS:
        print("Подпишите этот адрес: POST /v1/webhooks. Ответ покажет secret один раз: ", end="")
        print("запустите приёмник ещё раз с WEBHOOK_SECRET=<secret>.", flush=True)
    server.serve_forever()
