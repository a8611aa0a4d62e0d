/** How the page is built: into the package, under the nonce of each request, with a packed twin of
 * every file, so that the server never compresses and never guesses. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const BUILT = fileURLToPath(new URL("../src/huaben/web/static/app", import.meta.url));
const PACKABLE = /\.(js|css|svg)$/;

/** Write `name.gz` beside every text file of the build. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle() {
      const folder = join(BUILT, "assets");
      for (const name of readdirSync(folder)) {
        if (!PACKABLE.test(name)) continue;
        const whole = readFileSync(join(folder, name));
        const small = gzipSync(whole, { level: constants.Z_BEST_COMPRESSION });
        if (small.length < whole.length) writeFileSync(join(folder, `${name}.gz`), small);
      }
    },
  };
}

const SERVER = "http://127.0.0.1:8720";

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/" : "/",
  plugins: [react(), packed()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  // The server puts the nonce of the request in its place.
  html: { cspNonce: "NONCE-OF-THE-REQUEST" },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: "es2022",
    // An inlined file would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
  },
  // While developing: the server changes nothing for pages of another origin, so requests bear its own.
  server: { proxy: { "/api": { target: SERVER, headers: { origin: SERVER } } } },
  test: { environment: "node", isolate: false, include: ["src/**/*.test.ts"] },
}));
