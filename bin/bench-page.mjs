#!/usr/bin/env node
/** `npm run bench:page`: measures the memory of the page with an hour of audio. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bench", "page", "memory.ts"] });
