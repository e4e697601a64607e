/** The breakpoints of the theme and, through vite.config.ts, of the mixins in style sheets. */
export const BREAKPOINTS = { xs: '36em', sm: '48em', md: '62em', lg: '75em', xl: '88em' } as const;
