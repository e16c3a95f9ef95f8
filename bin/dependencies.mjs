#!/usr/bin/env node
/** `npm run deps`: keeps docs/dependencies.md true. */
import { startCommand } from "./lib/start-command.mjs";

const help = `npm run deps              checks docs/dependencies.md against package.json and the lockfile
npm run deps -- --write   writes the tables of docs/dependencies.md anew
npm run deps -- --write <package> "<what it is for>" …   the same, with the purpose of a package`;

startCommand({ module: ["bin", "dependencies", "main.ts"], help });
