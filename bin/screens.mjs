#!/usr/bin/env node
/** `npm run screens`: pictures of every view in every state; with --readme, the one in the README. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["e2e", "screens", "main.ts"] });
