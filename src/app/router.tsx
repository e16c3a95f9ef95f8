/** Every address of the client. Views are lazy: each comes with its own chunk. */
import { createBrowserRouter, redirect, type LoaderFunctionArgs } from "react-router";
import { queryClient } from "../queries/query-client.ts";
import { projectQueries } from "../queries/projects/options.ts";
import { sessionQueries } from "../queries/session/options.ts";
import { Shell } from "./Shell.tsx";

/** Nobody gets past this without a session. */
async function gate({ request }: LoaderFunctionArgs) {
  const projects = queryClient.prefetchQuery(projectQueries.all());
  const session = await queryClient.ensureQueryData(sessionQueries.current());
  if (!session) {
    const url = new URL(request.url);
    throw redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`);
  }
  await projects;
  return null;
}

export const router = createBrowserRouter([
  {
    path: "/",
    loader: gate,
    Component: Shell,
    HydrateFallback: () => null,
    children: [
      {
        path: "projects/:projectId/chat/:messageId?",
        lazy: async () => ({ Component: (await import("../views/chat/ChatView.tsx")).ChatView }),
      },
    ],
  },
]);
