#!/usr/bin/env node
/** `npm run dev`: client and service with hot reload. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "development", "main.ts"] });
