import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  // `npm run dev` uses a running console
  server: {
    proxy: { "/api": "http://127.0.0.1:8090", "/ws": { target: "ws://127.0.0.1:8090", ws: true } },
  },
  // the compiler's automatic JSX runtime makes Preact's plug-in unnecessary
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    // inlined assets would need data: in the content security policy
    assetsInlineLimit: 0,
    license: { fileName: "licenses.md" },
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
