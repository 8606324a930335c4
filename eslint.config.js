import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';

export default [
  { ignores: ['_build/', '.venv*/', 'book/_static/vendor/'] },
  js.configs.recommended,
  stylistic.configs.customize({ semi: true, arrowParens: true, braceStyle: '1tbs', quoteProps: 'as-needed' }),
  {
    rules: {
      'no-undef': 'off', // the type checker knows which names there are
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-shadow': 'error',
      'no-implicit-globals': 'error',
      'no-param-reassign': 'error',
      complexity: ['error', 8],
      'max-depth': ['error', 2],
      'max-params': ['error', 4],
      'max-lines': ['error', 500],
      'max-lines-per-function': ['error', 30],
      '@stylistic/max-len': ['error', { code: 120 }],
    },
  },
];
