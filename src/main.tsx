import { LucideProvider } from "lucide-react";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { allowOrigin, getChosenConnection, type LoadedConnection, loadConnection } from "./api/connection.ts";
import { App } from "./app/App.tsx";
import { createClient } from "./app/create-client.ts";
import { createRouter } from "./app/router.tsx";
import { ShellSkeleton } from "./app/shell/Shell.tsx";
import "./ui/styles.css";

const root = createRoot(document.getElementById("root")!);
const render = (content: ReactNode) =>
  root.render(
    <StrictMode>
      <LucideProvider strokeWidth={1.75}>{content}</LucideProvider>
    </StrictMode>,
  );

async function start(): Promise<void> {
  let failure: unknown;
  const connection: LoadedConnection = await loadConnection().catch((error: unknown) => {
    failure = error;
    return {};
  });
  // The page that is being loaded again must not call a service that its policy forbids.
  if (getChosenConnection() && allowOrigin(connection.baseUrl ?? "", getChosenConnection()?.isOnDevice === true)) return location.reload();
  const client = createClient(connection);
  render(<App client={client} router={await createRouter(client, failure)} />);
}

// Loads the preloaded font immediately, because the browser warns if a preload stays unused for 3 s, as on a slow connection.
void document.fonts.load("1em 'Inter Variable'");
render(<ShellSkeleton />);
void start();
