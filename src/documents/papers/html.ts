import { plainHtml } from '../../platform/kernel/plain-html.ts'
import type { Paper, PaperTable } from './paper.ts'

/**
 * A paper for the browser's print: one HTML document, without scripts and without anything from outside. Each copy
 * begins on a page of its own.
 */
export function paperHtml(paper: Paper, copies = 1): string {
  const { title } = paper
  const copy = `<main>${contentHtml(paper)}</main>\n`
  return (
    `<!doctype html>\n<html lang="ru"><head><meta charset="utf-8"><title>${plainHtml(title)}</title>` +
    `<style>${style}</style></head><body>\n${copy.repeat(copies)}</body></html>\n`
  )
}

function contentHtml({ title, facts, tables, notes, signatures }: Paper): string {
  const listed = facts.map(
    ([label, value]) => `<dt>${plainHtml(label)}</dt><dd>${plainHtml(value)}</dd>`,
  )
  return (
    `<h1>${plainHtml(title)}</h1>\n<dl>${listed.join('')}</dl>\n${tables.map(tableHtml).join('\n')}\n` +
    notes.map((note) => `<p>${plainHtml(note)}</p>\n`).join('') +
    signatures.map((who) => `<p class="sign">${plainHtml(who)}</p>\n`).join('')
  )
}

function tableHtml({ title, columns, rows }: PaperTable): string {
  const sum = columns.reduce((total, { share }) => total + share, 0)
  const widths = columns.map(
    ({ share }) => `<col style="width:${Math.round((share / sum) * 100)}%">`,
  )
  const classes = columns.map(({ isNumber }) => (isNumber ? ' class="number"' : ''))
  const head = columns.map(
    (column, index) => `<th${classes[index]}>${plainHtml(column.title)}</th>`,
  )
  const body = rows.map(
    (row) =>
      `<tr>${row.map((cell, index) => `<td${classes[index]}>${plainHtml(cell)}</td>`).join('')}</tr>`,
  )
  const none = `<tr><td colspan="${columns.length}">нет</td></tr>`
  return (
    `<h2>${plainHtml(title)}</h2>\n<table><colgroup>${widths.join('')}</colgroup>` +
    `<thead><tr>${head.join('')}</tr></thead><tbody>\n${body.join('\n') || none}\n</tbody></table>`
  )
}

const style =
  '@page{size:A4;margin:15mm}body{font:11pt "PT Sans",Arial,sans-serif;margin:0 auto;max-width:180mm}' +
  'main+main{break-before:page}h1{font-size:16pt}h2{font-size:12pt;break-after:avoid}dl{display:grid;grid-template-columns:45mm auto;margin:0}' +
  'dt{color:#555}dd{margin:0}table{border-collapse:collapse;width:100%;table-layout:fixed}' +
  'th,td{border:1px solid #999;padding:1mm 2mm;text-align:left;overflow-wrap:anywhere;vertical-align:top}' +
  'thead{display:table-header-group}tr{break-inside:avoid}.number{text-align:right}' +
  '.sign{margin-top:10mm;border-bottom:1px solid #000;max-width:120mm}'
