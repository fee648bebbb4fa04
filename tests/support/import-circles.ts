import type { Import } from './source-tree.ts'

/**
 * Circles of imports at every level of the source tree: in each folder, its files and its sub-folders, each
 * sub-folder taken as one, import each other without a circle. A circle is described as `folder: a.ts + b.ts`.
 */
export function importCircles(imports: readonly Import[]): string[] {
  const levels = new Map<string, Map<string, Set<string>>>()
  for (const { from, path } of imports) {
    if (path === undefined) continue
    const edge = edgeOf(from.path.split('/'), path.split('/'))
    if (edge === undefined) continue
    const graph = levels.get(edge.folder) ?? new Map<string, Set<string>>()
    levels.set(edge.folder, graph)
    graph.set(edge.from, (graph.get(edge.from) ?? new Set()).add(edge.to))
  }
  return [...levels]
    .flatMap(([folder, graph]) =>
      circlesOf(graph).map((members) => `${folder}: ${members.join(' + ')}`),
    )
    .sort()
}

/** Where the ways to two files part; undefined for a file that imports itself. */
function edgeOf(from: readonly string[], to: readonly string[]) {
  const depth = from.findIndex((part, index) => part !== to[index])
  const [source, target] = [from[depth], to[depth]]
  if (source === undefined || target === undefined) return undefined
  return { folder: ['src', ...from.slice(0, depth)].join('/'), from: source, to: target }
}

/** Sets of nodes that reach each other, by name. */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachableFrom(graph, node)]))
  const inCircles = [...graph.keys()].filter((node) => reachable.get(node)?.has(node))
  const circles = Map.groupBy(inCircles, (node) =>
    inCircles
      .filter((other) => reachable.get(node)?.has(other) && reachable.get(other)?.has(node))
      .sort()
      .join('\n'),
  )
  return [...circles.keys()].map((members) => members.split('\n'))
}

function reachableFrom(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string) {
  const seen = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    waiting.push(...(graph.get(node) ?? []))
  }
  return seen
}
