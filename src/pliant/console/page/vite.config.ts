import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // Preact's JSX needs no plug-in: the compiler's own automatic runtime does it.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    // Inlined assets would need data: in the content security policy.
    assetsInlineLimit: 0,
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
