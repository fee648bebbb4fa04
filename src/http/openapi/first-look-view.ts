import { plainHtml } from '../../platform/kernel/plain-html.ts'
import type { TextSection } from './first-look-text.ts'

interface ListedOperation {
  readonly anchor: string
  readonly title: string
}

export interface FirstLooks {
  /** What is shown where the address names no look. */
  readonly introduction: string
  readonly looks: readonly TextSection[]
  /** The operations by their tags. */
  readonly list: readonly {
    readonly name: string
    readonly operations: readonly ListedOperation[]
  }[]
}

/** The looks, one of which covers the page until the page shows the same. */
export function viewOf({ introduction, looks, list }: FirstLooks): string {
  const templates = looks.map(
    ({ anchor, html }) => `<template data-at="${plainHtml(anchor)}">${html}</template>`,
  )
  return `<style>${style}</style>
<div id="first-look"><main>${introduction}</main>
<nav><a href="#">Введение</a>${list.map(groupOf).join('')}</nav>
${templates.join('\n')}</div><script>${script}</script>`
}

function groupOf({ name, operations }: FirstLooks['list'][number]): string {
  const links = operations.map(
    ({ anchor, title }) => `<a href="#${plainHtml(anchor)}">${plainHtml(title)}</a>`,
  )
  return `<details><summary>${plainHtml(name)}</summary>${links.join('')}</details>`
}

/** The page's own list of operations is 288 pixels wide where there is room for it. */
const style = `
#first-look { position: fixed; inset: 0; z-index: 10000; overflow: auto; background: Canvas; color: CanvasText;
  color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; padding: 48px 24px }
#first-look main { max-width: 44em }
#first-look dl { margin: 0 } #first-look dl dl { margin-left: 24px } #first-look dd { margin: 0 0 8px 24px }
#first-look h1 { font-size: 24px } #first-look h2 { font-size: 20px } #first-look pre { overflow: auto }
#first-look nav { font-size: 14px; line-height: 33px } #first-look summary { cursor: pointer }
#first-look nav a { display: block; color: inherit; text-decoration: none } #first-look details a { padding-left: 20px }
@media (min-width: 1000px) { #first-look { padding-left: 348px }
  #first-look nav { position: fixed; inset: 0 auto 0 0; box-sizing: border-box; width: 288px; padding: 48px 20px;
    overflow: auto } }`

/**
 * Shows what the address names until the page shows the same, at most for a minute. Where the introduction was read meanwhile, the page
 * goes on at its heading.
 */
const script = `
(() => {
  const view = document.getElementById('first-look')
  const main = view.querySelector('main')
  const introduction = [...main.childNodes]
  const looks = [...view.querySelectorAll('template')]
  let look
  const show = () => {
    let at = ''
    try { at = decodeURIComponent(location.hash.slice(1)) } catch {}
    look = looks.find((each) => each.dataset.at === at)
    main.replaceChildren(...(look ? [look.content.cloneNode(true)] : introduction))
    view.scrollTop = 0
  }
  const isShown = () => [...document.querySelectorAll(look ? '#app [id]' : '#app h1')].some((each) => {
    const { top, height } = each.getBoundingClientRect()
    if (look === undefined) return height > 0
    return each.id.endsWith('/' + look.dataset.at) && height > 0 && top > -200 && top < innerHeight / 2
  })
  const leave = () => {
    const read = [...main.querySelectorAll('h2, h3')].filter((each) => each.getBoundingClientRect().top < 100)
    view.remove()
    if (look) return
    const title = read.at(-1)?.textContent.trim()
    const same = [...document.querySelectorAll('#app h2, #app h3')].find((each) => each.textContent.trim() === title)
    same?.scrollIntoView()
  }
  show()
  addEventListener('hashchange', show)
  const started = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - started < 60000 && !isShown()) return
    clearInterval(timer)
    removeEventListener('hashchange', show)
    leave()
  }, 100)
})()`
