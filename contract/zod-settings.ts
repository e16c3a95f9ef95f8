/** Sets the language of zod's messages; without one every message is "Invalid input". */
import * as z from "zod/mini";
// Imports one locale directly: `z.locales` would put every language into the browser bundle.
import en from "zod/v4/locales/en.js";

z.config(en());
