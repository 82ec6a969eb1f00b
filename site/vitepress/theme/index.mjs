/** The default theme, with the fonts of the reader's system and the head of the home page. */

import theme from "vitepress/theme-without-fonts";
import Hero from "./Hero.vue";
import "./style.css";

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component("Hero", Hero);
  },
};
