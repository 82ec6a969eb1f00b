// The appearance that the reader chose on another page of the site.
const appearance = localStorage.getItem("vitepress-theme-appearance");
const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
const isDark = appearance === "dark" || (appearance !== "light" && prefersDark);
document.documentElement.classList.toggle("dark", isDark);
