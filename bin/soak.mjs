#!/usr/bin/env node
/** `npm run test:soak`: the browser tests over and over. */
import { enter } from "./lib/enter.mjs";

enter({ module: ["bin", "testing", "soak.ts"] });
