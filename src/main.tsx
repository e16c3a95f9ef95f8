import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { watchTheme } from "./ui/theme.ts";
import "./ui/styles.css";

watchTheme();
// Uses the preloaded font at once; the browser warns if that takes it longer than 3 s, as on a slow connection.
void document.fonts.load("1em 'Inter Variable'");
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
