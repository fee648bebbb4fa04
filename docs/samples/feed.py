"""Чтение ленты событий Sklad: Python 3.10 или новее, только стандартная библиотека.

SKLAD_URL=https://api.example.ru SKLAD_KEY=svc_… INBOX=inbox.sqlite python3 feed.py
С аргументом once читает то, что есть, и заканчивает: для cron.
"""

import http.client
import json
import os
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["SKLAD_URL"].rstrip("/")
KEY = os.environ["SKLAD_KEY"]
INBOX = os.environ.get("INBOX", "inbox.sqlite")
WAIT_SECONDS = 25
PAUSE_MAX_SECONDS = 60


class Refused(Exception):
    """Сервис ответил ошибкой."""

    def __init__(self, status: int, code: str, message: str, retry_after: int):
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.retry_after = retry_after


def open_inbox() -> sqlite3.Connection:
    """События и позиция ленты лежат в одной базе: они сохраняются одной транзакцией."""
    inbox = sqlite3.connect(INBOX, isolation_level=None)
    inbox.execute(
        "create table if not exists inbox"
        " (id text primary key, body text not null, done integer not null default 0)"
    )
    inbox.execute("create table if not exists feed (one integer primary key, after text not null)")
    return inbox


def read_page(after: str | None, wait: int) -> dict:
    """Одна страница ленты: items, next_after, has_more."""
    query = {"limit": 100, "wait": wait} | ({} if after is None else {"after": after})
    request = urllib.request.Request(
        f"{URL}/v1/events?{urllib.parse.urlencode(query)}",
        headers={"Authorization": f"Bearer {KEY}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=wait + 30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise refusal(error) from None


def refusal(error: urllib.error.HTTPError) -> Refused:
    try:
        envelope = json.load(error)["error"]
        code, message = envelope["code"], envelope["message"]
    except (ValueError, KeyError, TypeError):
        code, message = "unexpected_answer", ""
    retry_after = error.headers.get("Retry-After", "")
    return Refused(error.code, code, message, int(retry_after) if retry_after.isdigit() else 0)


def take_page(inbox: sqlite3.Connection, wait: int) -> bool:
    """Сохраняет страницу вместе с позицией; отвечает, есть ли дальше ещё."""
    saved = inbox.execute("select after from feed").fetchone()
    try:
        page = read_page(saved[0] if saved else None, wait)
    except Refused as error:
        if error.code != "bad_cursor" or saved is None:
            raise
        # Позиция устарела: начать сначала. Знакомые события ящик не примет, а то, что случилось
        # за пропущенное время, сверьте списками заказов, приёмок и отгрузок.
        print(error, file=sys.stderr)
        inbox.execute("delete from feed")
        return True
    inbox.execute("begin")
    for event in page["items"]:
        inbox.execute(
            "insert into inbox (id, body) values (?, ?) on conflict do nothing",
            (event["id"], json.dumps(event, ensure_ascii=False)),
        )
    inbox.execute("replace into feed (one, after) values (1, ?)", (page["next_after"],))
    inbox.execute("commit")
    return page["has_more"]


def handle(event: dict) -> None:
    """Здесь ваша работа."""
    print(event["type"], event["id"], flush=True)


def work(inbox: sqlite3.Connection) -> None:
    """Ошибка оставляет событие в ящике до следующего раза."""
    waiting = inbox.execute("select id, body from inbox where done = 0 order by rowid").fetchall()
    for event_id, body in waiting:
        try:
            handle(json.loads(body))
            inbox.execute("update inbox set done = 1 where id = ?", (event_id,))
        except Exception as error:
            print(f"{event_id}: {error}", file=sys.stderr)


def can_pass(error: Exception) -> bool:
    """Обрыв связи, перегрузка и сбой сервиса проходят сами, остальное исправляют люди."""
    return not isinstance(error, Refused) or error.status == 429 or error.status >= 500


def main(once: bool) -> None:
    inbox = open_inbox()
    failures = 0
    while True:
        try:
            has_more = take_page(inbox, 0 if once else WAIT_SECONDS)
            failures = 0
        except (Refused, OSError, http.client.HTTPException) as error:
            if not can_pass(error):
                raise SystemExit(str(error))
            print(error, file=sys.stderr)
            pause = min(2**failures, PAUSE_MAX_SECONDS)
            failures += 1
            time.sleep(max(pause, getattr(error, "retry_after", 0)))
            continue
        work(inbox)
        if once and not has_more:
            return


if __name__ == "__main__":
    main(once="once" in sys.argv[1:])
