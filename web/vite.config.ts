import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  base: '/',
  build: {
    outDir: '../src/overtrick/table/page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8137', ws: true } },
  },
  test: { environment: 'jsdom', isolate: false, include: ['src/**/*.test.{ts,tsx}'] },
});
