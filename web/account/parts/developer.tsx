import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'

/** Whether the pages say how a program asks for what they show. It is kept in this browser. */

const place = 'developer'

function isKept(): boolean {
  try {
    return localStorage.getItem(place) === 'yes'
  } catch {
    return false
  }
}

function keep(is: boolean): void {
  try {
    if (is) localStorage.setItem(place, 'yes')
    else localStorage.removeItem(place)
  } catch {
    // It holds until the page is left.
  }
}

const Developer = createContext({ is: false, set: (_: boolean) => {} })

export function DeveloperChoice({ children }: { readonly children: ComponentChildren }) {
  const [is, setIs] = useState(isKept)
  const set = (next: boolean) => {
    keep(next)
    setIs(next)
  }
  return <Developer.Provider value={{ is, set }}>{children}</Developer.Provider>
}

export function useDeveloper(): boolean {
  return useContext(Developer).is
}

export function DeveloperSwitch() {
  const { is, set } = useContext(Developer)
  return (
    <label class="check developer">
      <input
        type="checkbox"
        checked={is}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      <span>Я разработчик</span>
    </label>
  )
}
