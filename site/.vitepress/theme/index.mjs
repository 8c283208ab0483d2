// The default theme, with a link to the same page in the other language: not every page exists in both.
import DefaultTheme from 'vitepress/theme';
import { useData, withBase } from 'vitepress';
import { h } from 'vue';
import './style.css';

function languageLink() {
  const { page, theme, lang } = useData();
  const [language, text] = lang.value === 'nl' ? ['en', 'English'] : ['nl', 'Nederlands'];
  const href = withBase(theme.value.otherLanguage[page.value.relativePath] ?? '/');
  return h('a', { class: 'other-language', href, lang: language, hreflang: language }, text);
}

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => h(languageLink),
      'nav-screen-content-after': () => h(languageLink),
    }),
};
