interface GoodsTemplateProps {
  /** The call that answers with an empty table. */
  readonly path: string
}

/** An empty table of goods to fill in, and what is read of any other. */
export function GoodsTemplate({ path }: GoodsTemplateProps) {
  return (
    <p class="small">
      Шаблон:{' '}
      <a href={`${path}?format=xlsx`} download>
        XLSX
      </a>
      ,{' '}
      <a href={`${path}?format=csv`} download>
        CSV
      </a>
      .{' '}
      <a href="/docs#description/файлы-товаров" target="_blank" rel="noreferrer">
        Какие таблицы читаются
      </a>
    </p>
  )
}
