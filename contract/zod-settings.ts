/** Settings of the validator: they must stand before the first schema is made, so every module that makes schemas imports this one first. */
import * as z from "zod/mini";
// The single module: `z.locales` would put every language into the browser's bundle.
import en from "zod/v4/locales/en.js";

z.config({
  ...en(),
  // Compiling schemas needs `new Function`, which the page's CSP forbids and reports even when caught.
  jitless: "document" in globalThis,
});
