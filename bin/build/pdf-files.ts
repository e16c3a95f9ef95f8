/** Builds the files that pdf.js loads by name into the client: fonts and character tables that PDFs may leave out, and decoders of pictures. */
import { readFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const FOLDER = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
const { version } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as { version: string };
/** The library's version is part of the path, because browsers may store what is below `assets` for ever. */
const PATH = `assets/pdfjs-${version}/`;
const SOURCES: readonly [folder: string, names: RegExp][] = [
  ["cmaps", /\.bcmap$|^LICENSE/],
  ["standard_fonts", /\.(pfb|ttf)$|^LICENSE/],
  // The page's policy forbids WebAssembly.
  ["wasm", /^(jbig2|openjpeg)_nowasm_fallback\.js$|^LICENSE_(PDFJS_)?(JBIG2|OPENJPEG)$/],
];

export function pdfFiles(): Plugin {
  const files = new Map(
    SOURCES.flatMap(([folder, names]) =>
      readdirSync(join(FOLDER, folder))
        .filter((name) => names.test(name))
        .map((name) => [name.startsWith("LICENSE") ? `${folder}-${name}` : name, join(FOLDER, folder, name)] as const),
    ),
  );
  return {
    name: "pdf-files",
    generateBundle() {
      for (const [name, path] of files) this.emitFile({ type: "asset", fileName: `${PATH}${name}`, source: readFileSync(path) });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${PATH}`, (request, response, next) => {
        const name = (request.url ?? "").slice(1);
        const path = files.get(name);
        if (path === undefined) return next();
        if (name.endsWith(".js")) response.setHeader("Content-Type", "text/javascript");
        readFile(path).then((bytes) => response.end(bytes), next);
      });
    },
  };
}
