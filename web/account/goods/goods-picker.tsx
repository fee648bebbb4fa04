import { useState } from 'preact/hooks'
import type { GoodsToBring } from '../../api/account-calls.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Options, useCombobox } from '../../ui/forms/combobox.tsx'
import { FieldText } from '../../ui/forms/field.tsx'
import { Thumbnail } from '../../ui/picture.tsx'
import { number } from '../../words/format.ts'
import { account } from '../api.ts'
import { withPictures } from '../parts/of-goods.ts'

interface GoodsPickerProps {
  readonly name: string
  readonly value: string
  readonly problem: string | undefined
  readonly hint: string | undefined
  readonly onType: (text: string) => void
  readonly onPick: (goods: GoodsToBring) => void
}

/** Finds goods by words of their name, by article or barcode; new goods are typed by barcode. */
export function GoodsPicker({ name, value, problem, hint, onType, onPick }: GoodsPickerProps) {
  const [typed, setTyped] = useState<string>()
  const asked = typed?.trim() ?? ''
  const { data } = useAnswer(`goods ${asked}`, async (signal) => search(asked, signal))
  const found = asked === '' ? [] : (data ?? [])
  const close = () => {
    setTyped(undefined)
    toFirst()
  }
  const pick = (goods: GoodsToBring) => {
    close()
    onPick(goods)
  }
  const { id, input, list, toFirst } = useCombobox({
    found,
    pick,
    close: found.length > 0 ? close : undefined,
  })
  return (
    <div class="field combobox">
      <label for={id}>Товар или штрихкод</label>
      <input
        {...input}
        name={name}
        maxLength={64}
        placeholder="Название, артикул, штрихкод"
        aria-invalid={problem !== undefined}
        aria-describedby={(problem ?? hint) === undefined ? undefined : `${id}-text`}
        value={value}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          toFirst()
          onType(event.currentTarget.value)
        }}
        onFocus={() => hint === undefined && setTyped(value)}
        onBlur={close}
      />
      <FieldText id={id} hint={hint} problem={problem} />
      <Options list={list} label="Найденные товары" keyOf={({ barcode }) => barcode}>
        {(goods) => (
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
        )}
      </Options>
    </div>
  )
}

async function search(text: string, signal: AbortSignal) {
  if (text === '') return []
  const { items } = await account('GET /goods', { query: { search: text }, signal })
  return withPictures(items, signal)
}
