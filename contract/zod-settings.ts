/** Configures zod. The configuration must run before the first schema is created, so every module with schemas imports this one first. */
import * as z from "zod/mini";
// Imports one locale directly: `z.locales` would put every language into the browser bundle.
import en from "zod/v4/locales/en.js";

z.config({
  ...en(),
  // Compiling schemas needs `new Function`, which the page's CSP blocks and reports even when the error is caught.
  jitless: "document" in globalThis,
});
