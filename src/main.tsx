import { LucideProvider } from "lucide-react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { createClient } from "./app/create-client.ts";
import { createRouter } from "./app/router.tsx";
import "./ui/styles.css";

const client = createClient();
// Loads the preloaded font immediately, because the browser warns if a preload stays unused for 3 s, as on a slow connection.
void document.fonts.load("1em 'Inter Variable'");
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <LucideProvider strokeWidth={1.75}>
      <App client={client} router={createRouter(client)} />
    </LucideProvider>
  </StrictMode>,
);
