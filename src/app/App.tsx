import { RouterProvider } from "react-router/dom";
import { QueryProvider } from "../queries/QueryProvider.tsx";
import { router } from "./router.tsx";

export function App() {
  return (
    <QueryProvider>
      <RouterProvider router={router} />
    </QueryProvider>
  );
}
