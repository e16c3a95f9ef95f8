/** Yardstick of the first load: the libraries that every view needs, and nothing else. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router";

function Home() {
  const { data } = useQuery({ queryKey: ["home"], queryFn: () => Promise.resolve("Hello") });
  return (
    <main>
      <h1>{data}</h1>
    </main>
  );
}

const router = createBrowserRouter([{ path: "*", element: <Home /> }]);
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
