/** esbuild takes an imported style into the surface's own. */
declare module '*.css' {}
