#!/usr/bin/env node
/** `npm run bench:page`: how much memory the page takes with an hour of sound. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bench", "page", "memory.ts"] });
