// Runs before the first paint. The same key and rule as in src/ui/theme.ts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("talkback.theme");
  } catch {
    // Storage may be forbidden: the system's theme is used then.
  }
  const theme = chosen === "light" || chosen === "dark" ? chosen : matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  const color = document.querySelector('meta[name="theme-color"]');
  if (color) color.setAttribute("content", theme === "light" ? "#f7f6f3" : "#0e0f13");
})();
