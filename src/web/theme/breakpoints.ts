/** Where the layout changes. The theme, and through vite.config.ts the mixins of the style sheets, read it here. */
export const BREAKPOINTS = { xs: '36em', sm: '48em', md: '62em', lg: '75em', xl: '88em' } as const;
