#!/usr/bin/env node
/** `npm run dev`: both sides with hot reload. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "development", "main.ts"] });
