#!/usr/bin/env node
/** `npm test` and, with `--check`, `npm run check`. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "testing", "main.ts"] });
