import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { number } from '../../words/format.ts'

interface CheckListProps {
  /** What the box over the others says, such as «Все заказы». */
  readonly all: string
  readonly children: ComponentChildren
}

/** Boxes of a form under one that checks or unchecks them all, with how many are checked. */
export function CheckList({ all, children }: CheckListProps) {
  const list = useRef<HTMLDivElement>(null)
  const [{ checked, of }, setCount] = useState({ checked: 0, of: 0 })
  const look = () => {
    const boxes = boxesIn(list.current)
    const next = { checked: boxes.filter((box) => box.checked).length, of: boxes.length }
    setCount((last) => (last.checked === next.checked && last.of === next.of ? last : next))
  }
  // The boxes keep what was checked themselves, and any render may bring others.
  useLayoutEffect(look)
  return (
    <div class="stack">
      <label class="check">
        <input
          type="checkbox"
          checked={of > 0 && checked === of}
          indeterminate={checked > 0 && checked < of}
          onChange={(event) => {
            for (const box of boxesIn(list.current)) box.checked = event.currentTarget.checked
            look()
          }}
        />
        <span>
          {all}{' '}
          <span class="small quiet">
            отмечено {number(checked)} из {number(of)}
          </span>
        </span>
      </label>
      <div ref={list} class="choices" onChange={look}>
        {children}
      </div>
    </div>
  )
}

function boxesIn(list: HTMLElement | null): readonly HTMLInputElement[] {
  return Array.from(list?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])
}
