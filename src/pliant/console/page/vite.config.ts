import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // `npm run dev` beside a console that runs
  server: {
    proxy: { "/api": "http://127.0.0.1:8090", "/ws": { target: "ws://127.0.0.1:8090", ws: true } },
  },
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
