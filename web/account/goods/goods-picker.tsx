import { useId, useState } from 'preact/hooks'
import type { GoodsToBring } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Thumbnail } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { withPictures } from '../parts/pictures.ts'

interface GoodsPickerProps {
  readonly name: string
  readonly value: string
  readonly problem: string | undefined
  readonly hint: string | undefined
  readonly onType: (text: string) => void
  readonly onPick: (goods: GoodsToBring) => void
}

/** Finds goods by words of their name, by article or barcode (combobox after the ARIA pattern); new goods are typed by barcode. */
export function GoodsPicker({ name, value, problem, hint, onType, onPick }: GoodsPickerProps) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(0)
  const asked = typed?.trim() ?? ''
  const { data } = useAnswer(`goods ${asked}`, async (signal) => search(asked, signal))
  const found = asked === '' ? [] : (data ?? [])
  const close = () => {
    setTyped(undefined)
    setActive(0)
  }
  const pick = (goods: GoodsToBring) => {
    close()
    onPick(goods)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (found.length === 0) return
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && found[active]) pick(found[active])
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  const text = problem ?? hint
  return (
    <div class="field combobox">
      <label for={id}>Товар или штрихкод</label>
      <input
        id={id}
        name={name}
        type="text"
        role="combobox"
        maxLength={64}
        autocomplete="off"
        placeholder="Название, артикул, штрихкод"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found[active] && `${id}-${active}`}
        aria-invalid={problem !== undefined}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        value={value}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
          onType(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => hint === undefined && setTyped(value)}
        onBlur={close}
      />
      {text !== undefined && (
        <span id={`${id}-text`} class={problem === undefined ? 'small quiet' : 'small problem'}>
          {text}
        </span>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Найденные товары"
        hidden={found.length === 0}
      >
        {found.map((goods, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input reads the keys
          <div
            key={goods.barcode}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(goods)}
          >
            <span class="pictured">
              <Thumbnail src={goods.picture} name="" keepsPlace />
              <span>
                {goods.name}{' '}
                <span class="small">
                  {[goods.article, goods.barcode, `есть ${number(goods.available)}`]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </span>
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

async function search(text: string, signal: AbortSignal) {
  if (text === '') return []
  const { items } = await account('GET /goods', { query: { search: text }, signal })
  return withPictures(items, signal)
}
