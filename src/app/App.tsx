import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router/dom";
import { type Client, ClientContext } from "../client/client.ts";
import type { Router } from "./router.tsx";

export function App({ client, router }: { client: Client; router: Router }) {
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={client.queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ClientContext>
  );
}
